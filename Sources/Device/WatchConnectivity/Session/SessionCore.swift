import DeviceShell
import EventLog
import Foundation
import KeyValueObservation
import LinkProtocol
import LinkTransport
import Locking
import SessionStorage

/// The implementation of a session: its state, and the paths between the application's threads, the delegate queue, the
/// store's queue and the loop.
final class SessionCore: Sendable {
    struct State {
        var presence: PresenceStateMachine?
        var isActivating = false
        /// True if it was activated before it had a delegate.
        var lackedDelegate = false
        /// The properties of its watch that the application's session last showed.
        var watchView = WatchView()
        /// True if `sessionDidDeactivate` was called and the app has not activated the session since.
        var isDeactivated = false
        var delegate = WeakDelegate(nil)
        var shell: DeviceShell?
        var closeControl: LinkedControl.Close?
        /// Sessions of single devices, created on demand.
        var sessions: [IdentifierKey: WCSession] = [:]
        /// The reason why the last connection failed or ended.
        var linkFailure: String?
        /// The connected devices, the latest last.
        var connected: [Device] = []
        var budgets: [UUID: ComplicationBudget] = [:]
        var openTasks = 0
        var activationFault = ActivationFault()
        /// The last contexts that were delivered to the delegate, by sender.
        var givenContexts: [UUID: Data] = [:]
        /// The injected faults of the disk and the link, for reports.
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
        // Proof: the runtime guards weak references, and a session can be used from any thread.
        weak var session: WCSession?
    }

    let configuration: DeviceConfiguration?
    /// The error in the configuration, if any.
    let configurationError: String?
    let state: Mutex<State>
    private let owner = Mutex(Owner(session: nil))
    let queue = DelegateQueue()
    /// The number of messages that wait for a reply.
    let outstanding = SharedCount()
    /// The messages of this round that a ``RoundDelegate`` has received.
    let round = Mutex<[IncomingMessage]>([])
    /// The number of messages queued for the delegate or delivered to it, but not answered yet.
    let openReplies = SharedCount()
    /// The current call of the application's code.
    let calls: Mutex<CallWatch>
    /// Set by the default implementations of the delegate's methods.
    let isMethodMissing = SharedFlag()
    /// True if the app was woken and sleeps again when its work is done: read after every message.
    let awaitsDrain = SharedFlag()
    /// The queue on which the store is used.
    private let storeQueue = DispatchQueue(label: "watchlink.session.store")
    /// The changes of watches that are not in the store yet, in their order; nil in place of a watch that is forgotten.
    private let unrecorded = Batch<(UUID, Companion?)>()
    let observers = ObserverList<WCSession>()
    /// The transfers and contexts that the application can read at any time.
    let objects = TransferObjects()
    let hints: HintBoard
    /// The messages that failed at once.
    let burst = Mutex(FailureBurst())
    let appFaults: Mutex<AppFaultStateMachine>
    let hasAppFaults = SharedFlag()
    /// The run of `watchlink lint` that this process is; nil in every other program.
    let lint = LintRun.ofProcess

    /// The place at which the device's events are told.
    let tap: DeviceTap
    let recording = Mutex(RecordingState())

    let logger: Logger
    var role: DeviceRole? { configuration?.device.role }

    init(_ configuration: DeviceConfiguration?, error: String? = nil) {
        self.configuration = configuration
        configurationError = error
        tap = configuration?.tap ?? DeviceTap()
        // A broken configuration must be logged, not ignored.
        logger = configuration?.logger ?? (error == nil ? .silent : DeviceConfiguration.standardError("session"))
        hints = HintBoard(logger, failing: configuration?.failingHints ?? [])
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

    /// Attaches the session that the application holds; sessions of single devices are temporary.
    func attach(_ session: WCSession) { owner.withLock { $0.session = session } }

    var ownerSession: WCSession? { owner.withLock { $0.session } }

    /// Returns the session that the delegate receives for a device: on a host that serves all its watches, the device's
    /// own.
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
            state.sessions[IdentifierKey(identifier)] = session
            return session
        }
    }

    // MARK: - Properties

    var delegate: (any WCSessionDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            if let newValue { lint?.took(newValue) }
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

    /// Returns the receiver of a message: the given device, else the active one, else the last connected one.
    func reachableTarget(_ device: UUID?) -> UUID? { state.withLock { $0.reachableTarget(device) } }

    // MARK: - Activation

    func activate() {
        startDemandedRecording()
        tap.note(DeviceEvent("activate", .call))
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
            return logger.log(.delegateMissing, [.reason("activate() was called without a delegate")])
        }
        if let shell { return shell.activate() }
        let isFirst = state.withLock { state in
            defer { state.isActivating = true }
            return !state.isActivating
        }
        // Further calls are tolerated, and share the result of the first.
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
                noteCounterparts(presence)
                // First, so that it is in the log before the activation.
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

    /// Opens the control socket for the command line. The device also works without it.
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
        // The next attempt needs all resources.
        shell?.release()
        closeControl?()
        tellActivationFailed(error)
    }

    private func tellActivationFailed(_ error: any Error) {
        logger.log(.sessionActivationFailed, [.error(error)])
        // Applications expect errors of the session.
        let told = error as? WCError ?? WCError(.genericError, reason: "\(error)")
        queue.enqueue { [self] in
            guard let session = ownerSession, let delegate else { return }
            calling(.activationDidComplete, with: .error(told.errorCode)) {
                delegate.session(session, activationDidCompleteWith: .notActivated, error: told)
            }
        }
    }

    /// Stops the link, finishes the deliveries to the delegate, and records their results.
    func shutDown(_ reason: String, completion: @escaping @Sendable () -> Void) {
        storeQueue.async { [self] in
            let closeControl = state.withLock { state in
                defer { state.closeControl = nil }
                return state.closeControl
            }
            closeControl?()
            let finished: @Sendable () -> Void = { [self] in
                endRecording()
                completion()
            }
            guard let shell else { return finished() }
            shell.stop(reason) { [self] in
                shell.closeInbox()
                let finish: @Sendable () -> Void = { [self] in
                    shell.finish { [self] in
                        state.withLock { state in
                            state.shell = nil
                            state.sessions = [:]
                        }
                        finished()
                    }
                }
                queue.enqueue(discard: finish, finish)
                // Nothing more is delivered to an app that does not run.
                if presence?.own.application.isRunning == false { queue.discard() }
            }
        }
    }

    /// Stores the state of a watch.
    func keep(_ companion: Companion) { record(companion.identifier, companion) }

    /// Removes a watch from the store.
    func drop(_ device: UUID) {
        state.withLock { $0.budgets[device] = nil }
        record(device, nil)
    }

    /// Stores a watch, or removes it if it is nil. Changes are collected while the store is busy: thousands of watches may pair at
    /// the same time.
    private func record(_ device: UUID, _ companion: Companion?) {
        guard unrecorded.add((device, companion)) else { return }
        storeQueue.async { [self] in
            for (device, companion) in unrecorded.take() { recordNow(device, companion) }
        }
    }

    private func recordNow(_ device: UUID, _ companion: Companion?) {
        do {
            guard let companion else { return try shell?.home.store.forgetCompanion(device) ?? () }
            let budget = state.withLock { $0.budgets[device] } ?? ComplicationBudget()
            try shell?.home.store.record(CompanionRecord(companion: companion, budget: budget))
        } catch {
            // The database has logged the reason; the engine retries.
            shell?.companionUnrecorded(device)
        }
    }
}
