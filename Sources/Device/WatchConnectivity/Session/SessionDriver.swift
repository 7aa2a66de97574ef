import CrashPoints
import EventLog
import Foundation
import KeyedArchive
import LinkProtocol
import LinkTransport
import Locking
import SessionStorage

/// The session's part on the loop: carries out the machines of presence and delivery, keeps the handlers, holds back the peer
/// whose messages the delegate has not handled.
// Proof of `@unchecked Sendable`: all mutable state is used in turns of the loop only, where every public method moves first.
final class SessionDriver: @unchecked Sendable {
    /// Room for commands and deliveries that is kept between turns.
    private static let keptRoom = 1_024

    private let loop: EventLoop
    /// What other threads want.
    private let commands = Batch<SessionCommand>()
    private var commandRoom: [SessionCommand] = []
    /// The threads whose commands are taken together, soon.
    private let collectors = ThreadScope()
    /// What this turn has brought for the delegate.
    private var deliveries: [DelegateQueue.Work] = []
    private let queue: DelegateQueue
    private let outstanding: SharedCount
    private let openReplies: SharedCount
    private let onDrop: @Sendable (MessagePackage) -> Void
    private let endpoint: any LinkEndpoint
    private let parts: SessionParts
    private let times: LinkTimes
    private let logger: Logger
    private weak var core: SessionCore?
    private var machine: SessionStateMachine
    private var handlers: [UUID: UncheckedBox<MessageHandlers>] = [:]
    /// Counts how often a device began or ceased to take transfers.
    private var epochs: [UUID: UInt64] = [:]
    private var timer: EventLoop.TimerIdentifier?
    private let pairing: PairingDesk
    private let faults: FaultInjector
    private var switcher: WatchSwitcher?
    private var flapTimer: EventLoop.TimerIdentifier?

    init(
        _ configuration: DeviceConfiguration, _ presence: PresenceStateMachine, _ parts: SessionParts, core: SessionCore
    ) throws {
        loop = try EventLoop(name: "watchlink-link", hasStandIn: true)
        times = configuration.times
        logger = configuration.logger
        machine = SessionStateMachine(presence, times: configuration.times)
        self.parts = parts
        self.core = core
        queue = core.queue
        outstanding = core.outstanding
        openReplies = core.openReplies
        onDrop = { [weak core] in core?.dropped($0) }
        pairing = PairingDesk(store: parts.store, logger: configuration.logger)
        faults = FaultInjector(
            loop: loop, configuration.faults, seed: configuration.faultSeed, logger: configuration.logger)
        endpoint = configuration.endpoint(on: loop)
        faults.start({ [weak self] in self?.passed($0) }, onLoss: { [endpoint] in endpoint.conditioner.lose(for: $0) })
    }

    deinit { loop.stopLater() }

    // MARK: - From any thread

    func start() {
        execute { [self] in
            do {
                endpoint.setState(machine.presence.hello)
                try endpoint.start { [weak self] in self?.handle($0) }
                if let fault = core?.configuration?.reachabilityFault, fault != ReachabilityFault() { flap(fault) }
                perform(machine.change { $0.activate() })
                if let configuration = core?.configuration, configuration.switchesWatches, core?.role == .host {
                    startSwitching(seed: configuration.faultSeed)
                }
            } catch {
                core?.activationFailed(error)
            }
        }
    }

    func stop(_ reason: String, completion: @escaping @Sendable () -> Void) {
        execute { [self] in endpoint.stop(reason) { completion() } }
    }

    func activate() { execute { [self] in perform(machine.change { $0.activate() }) } }

    func arrived(_ content: PresenceStateMachine.Content) {
        execute { [self] in perform(machine.arrived(content)) }
    }

    /// Looks whether the app has done all that it was woken for.
    func drain() {
        execute { [self] in
            guard machine.presence.awaitsDrain, core?.isDrained == true else { return }
            perform(machine.change { $0.drained() })
        }
    }

    /// Waits until a change of presence is made. Not on the loop; the loop itself waits for nobody.
    func change(_ event: @escaping @Sendable (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        onLoop { [self] in perform(machine.change(event)) }
    }

    /// Runs a task on the loop, and waits for it.
    private func onLoop<Result: Sendable>(_ task: @escaping @Sendable () -> Result) -> Result {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result?>(nil)
        execute {
            let value = task()
            result.withLock { $0 = value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }

    /// The same for a change that may be refused.
    func tryChange(
        _ event: @escaping @Sendable (inout PresenceStateMachine) throws(PairingError) -> [PresenceStateMachine.Action]
    ) throws(PairingError) {
        let failure = Failure()
        change { presence in
            do throws(PairingError) {
                return try event(&presence)
            } catch {
                failure.error = error
                return []
            }
        }
        if let error = failure.error { throw error }
    }

    // Proof: written before the semaphore is signalled, read after it was waited for.
    private final class Failure: @unchecked Sendable {
        var error: PairingError?
    }

    /// Uses the link's conditioner. Waits until it is done; not on the loop.
    func condition<Result: Sendable>(_ use: @escaping @Sendable (LinkConditioner) -> Result) -> Result {
        onLoop { [self] in use(endpoint.conditioner) }
    }

    /// A new pairing code, which takes the former one's place. Not on the loop.
    func makePairingCode() throws -> String { try onLoop { [pairing] in Result { try pairing.makeCode() } }.get() }

    /// Calls back from the loop: proof that it turns.
    func pulse(_ completion: @escaping @Sendable () -> Void) { execute(completion) }

    /// Looks at a time whether the application's code returns.
    func watchCall(until deadline: MonotonicTime) { execute { [self] in scheduleCallWatch(deadline) } }

    private func scheduleCallWatch(_ deadline: MonotonicTime) {
        _ = loop.schedule(at: deadline) { [weak self] in
            guard let self, let next = core?.callDeadlinePassed(at: .now) else { return }
            scheduleCallWatch(next)
        }
    }

    func setLinkUp(_ isUp: Bool) { execute { [self] in endpoint.setUp(isUp) } }

    func send(_ message: OutgoingMessage) { enqueue(.send(message)) }

    func answer(_ message: IncomingMessage, _ answer: MessageAnswer) { enqueue(.answer(message, answer)) }

    /// The delegate's method has returned.
    func handled(_ message: IncomingMessage) { enqueue(.handled(message)) }

    private func execute(_ task: @escaping @Sendable () -> Void) { enqueue(.call(task)) }

    /// What the body sends and answers, on its thread, is written once when it returns, or soon if it takes its time.
    func writeTogether(_ body: () -> Void) {
        collectors.run(body)
        loop.catchUp()
    }

    private func enqueue(_ command: SessionCommand) {
        guard commands.add(command) else { return }
        let take = { @Sendable [self] in takeCommands() }
        // A message that stands alone somebody waits for; what is one of many is written with the others.
        if collectors.isInside {
            loop.executeSoon(take)
        } else {
            command.isWaitedFor ? loop.executeNow(take) : loop.execute(take)
        }
    }

    /// Sends a package that no delivery machine watches.
    func post(
        _ package: MessagePackage, to device: UUID, in epoch: UInt64? = nil,
        onFailure: @escaping @Sendable (WCError) -> Void
    ) {
        execute { [self] in
            // On a new connection it would overtake what begins anew there.
            if let epoch, epochs[device] != epoch { return }
            do throws(LinkSendError) {
                try write(package, to: device)
            } catch {
                onFailure(Self.error(for: error))
            }
        }
    }

    // MARK: - Actions

    private func takeCommands() {
        var taken = commandRoom
        commandRoom = []
        commands.take(into: &taken)
        for command in taken {
            switch command {
            case .send(let message): transmit(message)
            case .answer(let message, let answer): transmit(answer, to: message)
            case .handled(let message):
                note(message.package, message.device.identifier, .delivered)
                release(message)
            case .call(let task): task()
            }
        }
        taken.removeAll(keepingCapacity: taken.count <= Self.keptRoom)
        commandRoom = taken
    }

    private func release(_ message: IncomingMessage) {
        perform(machine.handled(message.device.identifier, bytes: message.bytes))
    }

    private func note(
        _ message: MessagePackage, _ device: UUID, _ state: LedgerEntry.State, cause: String? = nil
    ) {
        guard let kind = TransferKind(message.command) else { return }
        parts.ledger.note(
            message.identifier, .incoming, kind, device: device, bytes: message.dataPackage?.count ?? 0, state,
            cause: cause)
    }

    /// Gives the delegate something in its turn: at the end of this turn of the loop, with all else that it brings.
    private func hand(_ work: DelegateQueue.Work) {
        if deliveries.isEmpty { loop.atEndOfTurn { [self] in flushDeliveries() } }
        deliveries.append(work)
    }

    private func flushDeliveries() {
        guard queue.add(&deliveries) else { return }
        loop.afterTurn { [queue] in queue.drain() }
    }

    private func perform(_ actions: [SessionStateMachine.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: SessionStateMachine.Action) {
        switch action {
        case .presence(let former, let actions):
            // What came before a change is given to the delegate before it is told of that.
            flushDeliveries()
            core?.presenceChanged(from: former, to: machine.presence)
            endpoint.setState(machine.presence.hello)
            for action in actions { perform(action) }
        case .deliver(let package, let device, let bytes):
            note(package, device.identifier, .received)
            if package.wantsReply { openReplies.add(1) }
            hand(.message(IncomingMessage(package, from: device, bytes: bytes, onDrop: onDrop)))
        case .refuse(let package, let device):
            note(package, device.identifier, .received)
            let failure = WCError(.notReachable, reason: "the counterpart's app cannot be reached now")
            transmit(.failure(failure), to: package, of: device.identifier)
        case .keep(let package, let device, let bytes): keep(package, from: device, bytes: bytes)
        case .transferAnswered(let transfer, let answer):
            parts.transfers.ended(TransferStateMachine.Ending(transfer, answer))
        case .fileProgressed(let transfer, let offset, let device):
            parts.sender.progressed(transfer, to: offset, from: device)
            parts.transfers.progressed(transfer)
        case .fileCancelled(let transfer, let device):
            parts.receiver.cancelled(transfer, by: device, for: machine.counterpart(device))
        case .replied(let message, let reply): end(message, reply: reply)
        case .failed(let message, let failure): end(message, error(for: failure))
        case .stray(let reply, let message, let device): log(reply, message, device)
        case .misbehaved(let device, let error):
            logger.log(.peerMisbehaved, [.device(device), .error(error)])
            endpoint.disconnect(device, "\(error)")
        case .setReading(let device, let isReading): endpoint.setReading(isReading, from: device)
        }
    }

    private func perform(_ action: PresenceStateMachine.Action) {
        switch action {
        case .transfers(let device, let isAvailable):
            let epoch = (epochs[device] ?? 0) + 1
            epochs[device] = epoch
            parts.transfers.availabilityChanged(
                isAvailable, of: device, in: epoch, for: machine.counterpart(device))
        case .tell(let device, let state): tell(device, state)
        case .refuse(let device, let reason): endpoint.disconnect(device, reason)
        case .adopt(let device): parts.transfers.adopt(device)
        case .giveUpTransfers(let device, let isPaired):
            parts.transfers.giveUp(device, WCError(isPaired ? .watchAppNotInstalled : .deviceNotPaired))
        case .abandonMessages:
            for identifier in handlers.keys {
                end(identifier, WCError(.sessionInactive, reason: "the phone switches to another watch"))
            }
        case .dropHandlers:
            for (identifier, box) in handlers { core?.dropped(identifier, box) }
            handlers.removeAll()
        default: core?.perform(action)
        }
    }

    private static let deaf = "it does not read"

    private func tell(_ device: UUID, _ state: DeviceState) {
        do {
            try write(
                try MessagePackage(.state, content: state.entries, identifier: .random(), timestamp: Date()), to: device
            )
        } catch {
            // A peer that cannot be told how this device is would act on what is no longer true.
            logger.log(.peerMisbehaved, [.device(device), .error(error)])
            endpoint.disconnect(device, Self.deaf)
        }
    }

    // MARK: - Sending

    private func transmit(_ message: OutgoingMessage) {
        let (package, box) = (message.package, message.handlers)
        let refusal = machine.send(package.identifier, wantsReply: package.wantsReply, to: message.device, at: loop.now)
        if let refusal {
            flushDeliveries()
            core?.failed(package.identifier, error(for: refusal), box)
            return
        }
        handlers[package.identifier] = box
        do {
            try write(package, to: message.device)
            logger.log(.messageSent, [.package(package.identifier), .command(package.command.rawValue)])
            parts.ledger.note(
                package.identifier, .outgoing, box.value.kind, device: message.device, bytes: message.payload.count,
                .sent)
            if timer == nil { rearm() }
        } catch {
            machine.unsent(package.identifier, to: message.device)
            end(package.identifier, Self.error(for: error))
        }
    }

    private static func error(for error: LinkSendError) -> WCError {
        switch error {
        case .notConnected: WCError(.notReachable)
        case .queueFull: WCError(.deliveryFailed, reason: "the counterpart does not read: too much waits for it")
        case .tooLong(let error): WCError(.payloadTooLarge, reason: "\(error)")
        }
    }

    private func error(for failure: MessageFailure) -> WCError { WCError(failure, times: times) }

    private func transmit(_ answer: MessageAnswer, to message: IncomingMessage) {
        let device = message.device.identifier
        transmit(answer, to: message.package, of: device)
        guard message.takeHandled() else { return }
        if case .reply = answer { note(message.package, device, .delivered) }
        release(message)
    }

    private func transmit(_ answer: MessageAnswer, to message: MessagePackage, of device: UUID) {
        let package: MessagePackage
        switch answer {
        case .reply(let data):
            package = MessagePackage(
                identifier: .random(), command: message.command, status: .replied, dataPackage: data,
                answers: message.identifier, timestamp: Date())
            if message.wantsReply { note(message, device, .replied) }
        case .failure(let error):
            package = MessagePackage(
                identifier: .random(), command: message.command, status: .failed, errorMessage: error.reason,
                errorCode: error.errorCode, answers: message.identifier, timestamp: Date())
            note(message, device, .failed, cause: error.reason)
        }
        do {
            guard try machine.answering(message.identifier, of: device, with: package.status) else {
                logger.log(
                    .replyTooLate, [.package(message.identifier), .reason("the sender's connection is gone")])
                return
            }
            try write(package, to: device)
            logger.log(.messageReplied, [.package(message.identifier), .status(package.status.rawValue)])
        } catch LinkSendError.queueFull {
            // Who does not read its answers will not read the next ones either.
            logger.log(.peerMisbehaved, [.device(device), .reason(Self.deaf)])
            endpoint.disconnect(device, Self.deaf)
        } catch {
            logger.log(.messageFailed, [.package(message.identifier), .reason("the answer was not sent: \(error)")])
        }
    }

    // MARK: - Receiving

    private func handle(_ event: LinkEvent) {
        switch event {
        case .connected(let hello, let said):
            let device = hello.device
            let hasShownCode = machine.presence.mustShowCode(device.identifier) && pairing.check(hello)
            let actions = machine.connected(
                device, hello.state, said: said, hasShownCode: hasShownCode, at: .now)
            if machine.presence.peers[device.identifier] != nil { core?.connected(device) }
            perform(actions)
        case .disconnected(let device, let reason):
            let actions = machine.disconnected(device.identifier, reason: reason)
            parts.receiver.disconnected(device.identifier)
            parts.inbox.disconnected(device.identifier)
            faults.disconnected(device.identifier)
            core?.disconnected(device)
            perform(actions)
        case .unreachable(let reason): core?.linkFailed(reason)
        case .delivering(let device): parts.transfers.delivering(to: machine.counterpart(device.identifier))
        case .package(let package, let device, let bytes):
            CrashPoint.messageReceived.pass()
            guard !faults.isIdle else { return perform(machine.received(package, from: device, bytes: bytes)) }
            let passage = FaultStateMachine.Passage(package, device, .incoming, bytes: bytes)
            for passage in faults.decide(passage) { passed(passage) }
        }
    }

    private func keep(_ package: MessagePackage, from device: Device, bytes: Int) {
        let identifier = device.identifier
        let peer = machine.counterpart(identifier)
        let done: @Sendable () -> Void = { [self] in
            execute { [self] in perform(machine.handled(identifier, bytes: bytes)) }
        }
        guard let kind = TransferKind(package.command), kind != .file else {
            return package.command == .transferFile
                ? parts.receiver.offered(package, by: identifier, for: peer, done: done)
                : parts.receiver.received(package, from: identifier, for: peer, done: done)
        }
        let transfer = ReceivedTransfer(
            identifier: package.identifier, peer: peer, kind: kind, payload: package.dataPackage, receivedAt: Date())
        parts.inbox.arrived(
            transfer, bytes: package.dataPackage?.count ?? 0, from: identifier, startsRound: package.startsRound
        ) { [self] answer in
            post(answer.package(package.identifier, package.command), to: identifier) { _ in }
            done()
        }
    }

    private func log(_ reply: StrayReply, _ message: UUID, _ device: UUID) {
        let fields: [LogField] = [.package(message), .device(device)]
        switch reply {
        case .late: logger.log(.replyTooLate, fields)
        case .toNothing: logger.log(.replyToNothing, fields)
        case .illegal(let error): logger.log(.replyToNothing, fields + [.error(error)])
        }
    }

    // MARK: - Faults

    /// Uses the rules of faults; what need not wait any more goes on. Waits until it is done; not on the loop.
    func faults<Result: Sendable>(
        _ use: @escaping @Sendable (inout FaultStateMachine) -> (Result, [FaultStateMachine.Passage])
    ) -> Result {
        onLoop { [self] in faults.use(use) }
    }

    /// Waits until this side's idea of who is reachable is that one; not on the loop.
    func setReachability(_ fault: ReachabilityFault) { onLoop { [self] in flap(fault) } }

    private func flap(_ fault: ReachabilityFault) {
        if let flapTimer { loop.cancel(flapTimer) }
        perform(machine.change { $0.setReachabilityFault(fault) })
        flapTimer = fault.flapPeriod.map { period in
            loop.schedule(at: .now + period) { [weak self] in self?.flap(fault.flapped) }
        }
    }

    private func startSwitching(seed: UInt64) {
        switcher = WatchSwitcher(loop: loop, seed: seed) { [unowned self] in
            let paired = machine.presence.companions.values.filter(\.isPaired).map(\.identifier)
            return (machine.presence.active?.identifier, paired)
        } onSwitch: { [unowned self] in
            talk(to: $0)
        }
        switcher?.start()
    }

    /// The person puts on another watch, which the phone may not have known before.
    private func talk(to watch: UUID) {
        var refusal: PairingError?
        perform(
            machine.change { presence in
                do throws(PairingError) {
                    return try presence.pair(watch) + presence.switchTo(watch)
                } catch {
                    refusal = error
                    return []
                }
            })
        let fields: [LogField] = [.fault(Self.switchName), .device(watch)]
        logger.log(.faultInjected, fields + (refusal.map { [.error($0)] } ?? []))
        core?.drainIfDone()
    }

    private static let switchName = "switch"

    private func write(_ package: MessagePackage, to device: UUID) throws(LinkSendError) {
        guard !faults.isIdle else { return try endpoint.send(package, to: device) }
        // The device's name is nobody's business here: rules know identifiers only.
        let target = Device(identifier: device, role: machine.presence.role.counterpart, name: "")
        for passage in faults.decide(FaultStateMachine.Passage(package, target, .outgoing)) {
            try endpoint.send(passage.package, to: device)
        }
    }

    private func passed(_ passage: FaultStateMachine.Passage) {
        guard passage.direction == .outgoing else {
            return perform(machine.received(passage.package, from: passage.device, bytes: passage.bytes))
        }
        do throws(LinkSendError) {
            try endpoint.send(passage.package, to: passage.device.identifier)
        } catch {
            logger.log(
                .messageFailed, [.package(passage.package.identifier), .reason("it waited, and then: \(error)")])
        }
    }

    // MARK: - Ends

    private func end(_ identifier: UUID, reply: Data?) {
        guard let box = handlers.removeValue(forKey: identifier) else { return }
        outstanding.add(-1)
        let kind = box.value.kind
        let isWanted = box.value.reply != nil
        parts.ledger.note(identifier, .outgoing, kind, device: nil, isWanted ? .replied : .delivered)
        guard isWanted else { return }
        SessionMetrics.replied(kind, after: loop.now.seconds(since: box.value.start))
        hand(.reply(reply ?? Data(), to: identifier, box))
    }

    private func end(_ identifier: UUID, _ error: WCError) {
        guard let box = handlers.removeValue(forKey: identifier) else { return }
        flushDeliveries()
        core?.failed(identifier, error, box)
    }

    /// Keeps one timer. A message that is sent later is never overdue earlier.
    private func rearm() {
        guard let deadline = machine.nextDeadline else { return }
        timer = loop.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            timer = nil
            perform(machine.deadlinePassed(at: .now))
            rearm()
        }
    }
}
