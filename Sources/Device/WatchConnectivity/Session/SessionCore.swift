import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import SessionStorage

/// What stands behind a session: its state, and the way between the application's threads, the delegate queue, the store's
/// queue and the loop.
final class SessionCore: Sendable {
    struct State {
        var presence: PresenceStateMachine?
        var isActivating = false
        /// Whether it was activated before it had a delegate.
        var lackedDelegate = false
        /// What the application's session last showed of its watch.
        var watchView = WatchView()
        /// Whether the app heard `sessionDidDeactivate` and has not activated the session since.
        var isDeactivated = false
        var delegate = WeakDelegate(nil)
        var shell: DeviceShell?
        var closeControl: LinkedControl.Close?
        /// Sessions of single devices, made when they are first asked for.
        var sessions: [UUID: WCSession] = [:]
        /// Why the last connection could not be made, or ended.
        var linkFailure: String?
        /// The connected devices, the latest last.
        var connected: [Device] = []
        var budgets: [UUID: ComplicationBudget] = [:]
        var openTasks = 0
        var activationFault = ActivationFault()
        /// The contexts that the delegate was given last, by their senders.
        var givenContexts: [UUID: Data] = [:]
        /// What was done to the disk and the link, to be told to who asks.
        var diskFault: (fault: DiskFault, after: Int) = (.none, 0)
        var isLinkUp = true

        func reachableTarget(_ device: UUID?) -> UUID? {
            guard let presence, presence.activation == .activated else { return nil }
            if let device { return presence.isReachable(device) ? device : nil }
            if let active = presence.active?.identifier, presence.isReachable(active) { return active }
            return connected.last { presence.isReachable($0.identifier) }?.identifier
        }
    }

    private struct Owner: @unchecked Sendable {
        // Proof: the runtime guards a weak reference, and a session may be used from any thread.
        weak var session: WCSession?
    }

    let configuration: DeviceConfiguration?
    /// Why there is no configuration though one was meant.
    let configurationError: String?
    let state: Mutex<State>
    private let owner = Mutex(Owner(session: nil))
    let queue = DelegateQueue()
    /// Messages that wait for their reply.
    let outstanding = SharedCount()
    /// Messages of this round that a ``RoundDelegate`` was given.
    let round = Mutex<[IncomingMessage]>([])
    /// Messages in the delegate's hands, or on the way to it, that it has not replied to.
    let openReplies = SharedCount()
    /// The call of the application's code that goes on.
    let calls: Mutex<CallWatch>
    /// Set by a default implementation of the delegate's methods while it is called.
    let isMethodMissing = SharedFlag()
    /// Whether the app was woken, and goes back to sleep when nothing is left to do: asked for after every message.
    let awaitsDrain = SharedFlag()
    /// Where the store is used.
    private let storeQueue = DispatchQueue(label: "watchlink.session.store")
    let observers = ObserverList<WCSession>()
    /// What the application may ask of its transfers at any time.
    let objects = TransferObjects()
    let hints: HintBoard
    let appFaults: Mutex<AppFaultStateMachine>
    let hasAppFaults = SharedFlag()

    let logger: Logger
    var role: DeviceRole? { configuration?.device.role }

    init(_ configuration: DeviceConfiguration?, error: String? = nil) {
        self.configuration = configuration
        configurationError = error
        // A device that was meant and is none must not be so in silence.
        logger = configuration?.logger ?? (error == nil ? .silent : DeviceConfiguration.standardError("session"))
        hints = HintBoard(logger)
        calls = Mutex(Self.callWatch(configuration))
        appFaults = Mutex(Self.appFaults(configuration))
        hasAppFaults.set(configuration?.appFaults.isEmpty == false)
        var state = State()
        state.presence = configuration.map { Self.presence($0, []) }
        state.activationFault = configuration?.activationFault ?? ActivationFault()
        self.state = Mutex(state)
        queue.start(self)
        objects.start { [weak self] in self?.renewed($0) }
    }

    private static func presence(
        _ configuration: DeviceConfiguration, _ companions: [Companion]
    ) -> PresenceStateMachine {
        var device = DeviceState()
        device.application = configuration.application
        return PresenceStateMachine(
            role: configuration.device.role, policy: configuration.companions, state: device, companions: companions)
    }

    /// The session that the application holds; those of single devices come and go.
    func attach(_ session: WCSession) { owner.withLock { $0.session = session } }

    var ownerSession: WCSession? { owner.withLock { $0.session } }

    /// The session that the delegate is given for a device: on a host that serves all its watches, the device's own.
    func session(for device: UUID) -> WCSession? {
        guard role == .host, configuration?.companions.serving == .all else { return ownerSession }
        return session(of: device)
    }

    private func session(of identifier: UUID) -> WCSession? {
        state.withLock { state in
            if let session = state.sessions[identifier] { return session }
            guard let companion = state.presence?.companions[identifier] else { return nil }
            let session = WCSession(
                core: self, counterpart: Device(identifier: identifier, role: .companion, name: companion.name))
            state.sessions[identifier] = session
            return session
        }
    }

    // MARK: - What the application may ask at any time

    var delegate: (any WCSessionDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let delegate = WeakDelegate(newValue)
            let isLate = state.withLock { state in
                let isFirst = state.delegate.value == nil
                state.delegate = delegate
                return isFirst && (state.isActivating || state.lackedDelegate)
            }
            guard isLate, newValue != nil else { return }
            hints.give(.delegateAfterActivation)
            guard activation != .notActivated else { return }
            shell?.delegateIsReady()
        }
    }

    var presence: PresenceStateMachine? { state.withLock { $0.presence } }
    var activation: Activation { presence?.activation ?? .notActivated }
    var activationState: WCSessionActivationState { WCSessionActivationState(activation) }
    var hasContentPending: Bool { shell?.inbox.isPending == true }
    var connectedDevices: [Device] { state.withLock { $0.connected } }
    var shell: DeviceShell? { state.withLock { $0.shell } }

    func isReachable(_ device: UUID?) -> Bool { reachableTarget(device) != nil }

    /// The device that a message goes to: the one that is asked for, else the active one, else the latest that is there.
    func reachableTarget(_ device: UUID?) -> UUID? { state.withLock { $0.reachableTarget(device) } }

    // MARK: - Activation

    func activate() {
        let (delay, fails) = state.withLock { state in
            let fault = state.activationFault
            if fault.failures > 0 { state.activationFault.failures -= 1 }
            return (fault.delay, fault.failures > 0)
        }
        let demanded = failure(of: .activation)
        guard delay > .zero || fails || demanded != nil else { return activateNow() }
        if delay > .zero || fails { logger.log(.faultInjected, [.fault("activation"), .delay(delay.inSeconds)]) }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay.inSeconds) { [self] in
            guard fails || demanded != nil else { return activateNow() }
            tellActivationFailed(demanded ?? WCError(.genericError, reason: Self.demanded))
        }
    }

    private func activateNow() {
        guard let configuration else {
            return activationFailed(WCError(.sessionNotSupported, reason: configurationError))
        }
        guard delegate != nil else {
            state.withLock { $0.lackedDelegate = true }
            return logger.log(.delegateMissing, [.reason("activate() without a delegate")])
        }
        if let shell { return shell.activate() }
        let isFirst = state.withLock { state in
            defer { state.isActivating = true }
            return !state.isActivating
        }
        // Calling it again is tolerated, and answered as the first call was.
        guard isFirst else { return }
        storeQueue.async { [self] in
            do {
                let home = try DeviceHome(configuration.shellSettings, queue: storeQueue)
                let transfers = try objects.load(home, logger) { [weak self] in self?.cancel($0) }
                let presence = Self.presence(configuration, home.companions.map(\.companion))
                let shell = try DeviceShell(
                    configuration.shellSettings, presence, home, resuming: transfers, queue: queue,
                    outstanding: outstanding, openReplies: openReplies, app: self)
                state.withLock { state in
                    state.presence = presence
                    state.watchView = WatchView(presence, presence.active, home.directory)
                    state.shell = shell
                    state.budgets = Dictionary(
                        home.companions.map { ($0.companion.identifier, $0.budget) },
                        uniquingKeysWith: { first, _ in first })
                }
                tellWatchIsKnown(WatchView(presence, presence.active, home.directory))
                // First, so that whoever waits for the activation knows.
                tellIfControlIsMissing(configuration)
                shell.begin()
                openControlSocket(configuration)
            } catch {
                activationFailed(error)
            }
        }
    }

    private func tellIfControlIsMissing(_ configuration: DeviceConfiguration) {
        guard let path = configuration.controlSocketPath, LinkedControl.ofProgram == nil else { return }
        logger.log(.controlMissing, [.path(path), .reason("\(ControlNotLinked())")])
    }

    /// Lets the command line reach the device. A device without works all the same.
    private func openControlSocket(_ configuration: DeviceConfiguration) {
        guard let path = configuration.controlSocketPath, let control = LinkedControl.ofProgram else { return }
        do {
            let close = try control.open(DeviceSimulator(self), path, logger)
            state.withLock { $0.closeControl = close }
        } catch {
            logger.log(.acceptFailed, [.path(path), .error(error)])
        }
    }

    func activationFailed(_ error: any Error) {
        let (shell, closeControl) = state.withLock { state in
            let (shell, closeControl) = (state.shell, state.closeControl)
            state.isActivating = false
            state.shell = nil
            state.closeControl = nil
            return (shell, closeControl)
        }
        // The next try must find everything free.
        shell?.release()
        closeControl?()
        tellActivationFailed(error)
    }

    private func tellActivationFailed(_ error: any Error) {
        logger.log(.sessionActivationFailed, [.error(error)])
        // Whatever went wrong: applications look for errors of the session's own.
        let told = error as? WCError ?? WCError(.genericError, reason: "\(error)")
        queue.enqueue { [self] in
            guard let session = ownerSession, let delegate else { return }
            calling(.activationDidComplete) {
                delegate.session(session, activationDidCompleteWith: .notActivated, error: told)
            }
        }
    }

    /// Ends the link, lets the delegate have what it was about to be given, and writes down what came of it.
    func shutDown(_ reason: String, completion: @escaping @Sendable () -> Void) {
        storeQueue.async { [self] in
            let closeControl = state.withLock { state in
                defer { state.closeControl = nil }
                return state.closeControl
            }
            closeControl?()
            guard let shell else { return completion() }
            shell.stop(reason) { [self] in
                shell.closeInbox()
                let finish: @Sendable () -> Void = { [self] in
                    shell.finish { [self] in
                        state.withLock { state in
                            state.shell = nil
                            state.sessions = [:]
                        }
                        completion()
                    }
                }
                queue.enqueue(discard: finish, finish)
                // An app that does not run is given nothing more.
                if presence?.own.application.isRunning == false { queue.discard() }
            }
        }
    }

    /// Keeps what is known of a watch.
    func keep(_ companion: Companion) {
        storeQueue.async { [self] in
            let budget = state.withLock { $0.budgets[companion.identifier] } ?? ComplicationBudget()
            do {
                try shell?.home.store.record(CompanionRecord(companion: companion, budget: budget))
            } catch {
                // The database has logged why; the engine asks again.
                shell?.companionUnrecorded(companion.identifier)
            }
        }
    }

    /// Keeps nothing of a watch any more.
    func drop(_ device: UUID) {
        state.withLock { $0.budgets[device] = nil }
        storeQueue.async { [self] in
            do {
                try shell?.home.store.forgetCompanion(device)
            } catch {
                // The database has logged why; the engine asks again.
                shell?.companionUnrecorded(device)
            }
        }
    }
}
