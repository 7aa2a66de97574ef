import CrashPoints
package import DeviceEngine
import Dispatch
import EventLog
import Foundation
package import LinkProtocol
import LinkTransport
package import Locking
import SessionStorage

/// The executor of a device's engine: one loop, on which all decisions are made, one store, one file shelf, one
/// delegate queue and one timer. It makes no decisions.
///
/// Events (bytes, app calls, user actions, completed commits, time) reach the engine in turns of the loop; effects are
/// performed in order. Events that an effect causes in the same turn follow once all earlier effects are performed.
// Proof of `@unchecked Sendable`: all mutable state is used in turns of the loop only; methods for other threads first
// move there.
package final class DeviceShell: @unchecked Sendable {
    /// The number of commands, deliveries and effects for which memory is kept between turns.
    static let keptRoom = 1_024

    let loop: EventLoop
    let commands: CommandQueue
    let queue: DelegateQueue
    let endpoint: any LinkEndpoint
    package let home: DeviceHome
    let store: DeviceStore
    let settings: ShellSettings
    /// True for a phone that serves all of its watches at the same time: a recording says which one a package is of.
    let servesAll: Bool
    /// The number of messages that wait for a reply.
    let outstanding: SharedCount
    /// The number of messages queued for the delegate or delivered to it, but not answered yet.
    let openReplies: SharedCount
    let pairing: PairingCodeVerifier
    /// The number and state of the transfers that wait for the delegate.
    package let inbox: InboxContent
    private(set) weak var app: (any DeviceApp)?
    /// Reports a message that can no longer be answered. Shared by all messages: a weak reference in each costs as much
    /// as the message.
    let onDrop: @Sendable (MessagePackage) -> Void

    // Used in turns of the loop only.
    var engine: DeviceEngine
    let files: FileTransferStore
    private var effects: [DeviceEngine.Effect] = []
    private var isCarryingOut = false
    var handlers: [UUID: UncheckedBox<MessageHandlers>] = [:]
    /// The deliveries of this turn for the delegate.
    var deliveries: [DelegateQueue.Work] = []
    private var commandRoom: [QueuedCommand] = []
    private var timer: (identifier: EventLoop.TimerIdentifier, time: MonotonicTime)?
    private var switcher: WatchSwitcher?

    /// - Parameters:
    ///   - presence: The presence before the session is activated.
    ///   - transfers: The transfers of earlier runs that must still be sent or reported.
    ///   - outstanding: The number of messages that wait for a reply; the sender of a message has already counted it.
    ///   - openReplies: The number of messages without an answer from the delegate; the code that answers decrements
    ///     it.
    package init(
        _ settings: ShellSettings, _ presence: PresenceStateMachine, _ home: DeviceHome,
        resuming transfers: [OutgoingTransfer], queue: DelegateQueue, outstanding: SharedCount,
        openReplies: SharedCount,
        app: any DeviceApp
    ) throws {
        self.settings = settings
        servesAll = settings.role == .host && presence.policy.serving == .all
        self.home = home
        self.queue = queue
        self.outstanding = outstanding
        self.openReplies = openReplies
        self.app = app
        onDrop = { [weak app] in app?.unanswerable($0) }
        loop = try EventLoop(name: "watchlink-link", hasStandIn: true)
        commands = CommandQueue(loop: loop)
        endpoint = settings.endpoint(loop)
        let report: DeviceStore.Report = { [commands] in commands.add(.tell($0)) }
        store = DeviceStore(home, app: { [weak app] in app }, report: report)
        files = FileTransferStore(home.directory, home.store, logger: settings.logger, report: report)
        pairing = PairingCodeVerifier(store: home.store, secrets: settings.pairingSecrets, logger: settings.logger)
        inbox = InboxContent { [weak app] in app?.pendingChanged($0) }
        var faults = FaultStateMachine(.ofProcess(seed: settings.faultSeed))
        for rule in settings.faults { faults.add(rule) }
        engine = DeviceEngine(
            presence, times: settings.times, retry: settings.transferRetry, faults: faults,
            seed: .random(in: .min ... .max))
        for transfer in transfers where transfer.ending == nil { engine.load(transfer) }
        files.clean(keeping: Set(try home.store.inboxPaths().map { DeviceDirectory.folder(of: $0) }))
        inbox.received(try home.store.inboxCount(), isDeliverable: false)
        commands.start { [weak self] in self?.takeCommands() }
    }

    deinit { loop.stopLater() }

    // MARK: - The engine

    /// Reports an event to the engine from any thread, and performs its effects.
    func report(_ verb: @escaping @Sendable (inout DeviceEngine, Moment) -> Void) {
        commands.add(.tell(verb))
    }

    /// Reports an event to the engine on the loop, and performs its effects.
    func drive<Result>(_ verb: (inout DeviceEngine, Moment) -> Result) -> Result {
        let result = verb(&engine, now)
        carryOut()
        return result
    }

    /// The exact time.
    var now: Moment { Moment(.now, Date()) }

    /// The time of this turn, for frequent events: reading a clock for each is too expensive.
    private var turn: Moment { Moment(loop.now, Date()) }

    /// Performs the engine's effects. An effect may cause another event, whose effects are then performed here as well.
    private func carryOut() {
        guard !isCarryingOut else { return }
        isCarryingOut = true
        var list = effects
        effects = []
        while engine.takeEffects(into: &list) { list.drain(keeping: Self.keptRoom) { perform($0) } }
        effects = list
        isCarryingOut = false
        setTimer()
    }

    /// Sets the only timer. One that fires early sets the next; one that would fire late is replaced.
    private func setTimer() {
        guard let deadline = engine.nextDeadline else { return }
        if let timer {
            guard deadline < timer.time else { return }
            loop.cancel(timer.identifier)
        }
        let identifier = loop.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            timer = nil
            drive { $0.deadlinePassed(at: $1) }
        }
        timer = (identifier, deadline)
    }

    // MARK: - Commands

    func execute(_ task: @escaping @Sendable () -> Void) { commands.add(.call(task)) }

    private func takeCommands() {
        var taken = commandRoom
        commandRoom = []
        commands.take(into: &taken)
        for command in taken {
            switch command {
            case .send(let message): transmit(message)
            case .answer(let message, let answer): transmit(answer, to: message)
            case .handled(let message):
                engine.delivered(
                    message.package, from: message.device.identifier, bytes: message.bytes, at: turn)
                carryOut()
            case .tell(let verb): drive { verb(&$0, $1) }
            case .call(let task): task()
            }
            loop.writeIfMany()
        }
        taken.removeAll(keepingCapacity: taken.count <= Self.keptRoom)
        commandRoom = taken
    }

    private func transmit(_ message: OutgoingMessage) {
        let package = message.package
        let refusal = engine.send(package, to: message.device, at: Moment(loop.now, message.time))
        guard refusal == nil else {
            flushDeliveries()
            if let refusal { app?.failed(package.identifier, refusal, message.handlers) }
            return
        }
        handlers[package.identifier] = message.handlers
        carryOut()
    }

    private func transmit(_ answer: DeviceEngine.Answer, to message: IncomingMessage) {
        let (device, moment) = (message.device.identifier, turn)
        engine.answer(message.package, of: device, with: answer, at: moment)
        if message.takeHandled() {
            if case .reply = answer {
                engine.delivered(message.package, from: device, bytes: message.bytes, at: moment)
            } else {
                engine.handled(device, bytes: message.bytes, at: moment)
            }
        }
        carryOut()
    }

    // MARK: - The link

    func start() throws {
        endpoint.setState(engine.presence.hello)
        try endpoint.start { [weak self] in self?.handle($0) }
        endpoint.conditioner.watchLateness { [weak self] in self?.wasLate($0, by: $1, with: $2) }
        if settings.reachabilityFault != ReachabilityFault() {
            drive { $0.setReachability(settings.reachabilityFault, at: $1) }
        }
        drive { $0.activate(at: $1) }
        if settings.switchesWatches, settings.role == .host { startSwitching() }
    }

    private func handle(_ event: LinkEvent) {
        switch event {
        case .connected(let hello, let said):
            let device = hello.device
            settings.tap.note(DeviceEvent("connected", .other, device.identifier, of: device.identifier))
            let hasShownCode = engine.presence.mustShowCode(device.identifier) && pairing.check(hello)
            engine.connected(
                device, hello.state, said: said, hasShownCode: hasShownCode, at: now)
            if engine.presence.peers[device.identifier] != nil { app?.connected(device) }
            carryOut()
        case .disconnected(let device, let reason):
            settings.tap.note(DeviceEvent("disconnected", .other, device.identifier, of: device.identifier))
            engine.disconnected(device.identifier, reason: reason, at: now)
            app?.disconnected(device)
            carryOut()
        case .unreachable(let reason): app?.linkFailed(reason)
        case .delivering(let device): drive { $0.delivering(to: device.identifier, at: $1) }
        case .package(let package, let device, let bytes):
            CrashPoint.messageReceived.pass()
            note(package, isWritten: false, with: device.identifier)
            engine.received(package, from: device, bytes: bytes, at: turn)
            carryOut()
        }
    }

    /// Notes that the link's condition delayed what a direction carried.
    private func wasLate(_ direction: FaultRule.Direction, by span: Duration, with device: UUID?) {
        settings.tap.note(
            DeviceEvent(
                "fault", .other, nil, .words(direction.lateness(span)),
                of: servesAll ? device : nil, at: loop.now))
    }

    private func startSwitching() {
        switcher = WatchSwitcher(loop: loop, seed: settings.faultSeed) { [unowned self] in
            let paired = engine.presence.companions.values.filter(\.isPaired).map(\.identifier)
            return (engine.presence.active?.identifier, paired)
        } onSwitch: { [unowned self] in
            talk(to: $0)
        }
        switcher?.start()
    }

    /// Simulates a person who puts on another watch, possibly one that the phone does not know yet.
    private func talk(to watch: UUID) {
        let isPaired = engine.presence.record(of: watch)?.isPaired == true
        var refusal = isPaired ? nil : attempt(WatchDeed(.pair, of: watch))
        if refusal == nil { refusal = attempt(WatchDeed(.switchTo, of: watch)) }
        let fields: [LogField] = [.fault(Self.switchName), .device(watch)]
        settings.logger.log(.faultInjected, fields + (refusal.map { [.error($0)] } ?? []))
    }

    private static let switchName = "switch"
}
