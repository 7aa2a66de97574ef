import EventLog
import Files
import Foundation
import LinkProtocol
import Metrics

/// Drives one connection: decodes bytes to packages for the state machine, and encodes its answers.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
final class LinkConnection: Equatable, @unchecked Sendable {
    enum Event {
        case established(Hello)
        case package(MessagePackage, bytes: Int)
        /// Queued packages are making progress: some earlier data has arrived.
        case delivering
        case closed(reason: String)
    }

    /// Elsewhere, as connections without it would be half as large again.
    private final class Sending {
        var scheduler = SendScheduler()
    }

    private static let errors = MetricRegistry.process.counter(
        "watchlink_protocol_errors_total",
        help: "Connections closed because the peer violated the protocol, by cause.",
        labels: "cause")
    static let established = MetricRegistry.process.counter(
        "watchlink_link_connections_total",
        help: "Connections with a completed handshake; a companion's second and later ones are reconnects.")
    private static let bytes = MetricRegistry.process.counter(
        "watchlink_link_bytes_total", help: "Bytes of frames sent and received.", labels: "direction")
    private static let (bytesIn, bytesOut) = (bytes.cell("in"), bytes.cell("out"))

    let number: UInt64
    /// The peer, once it has sent its hello.
    private(set) var peer: Device?
    /// The state of this device in its own hello.
    private(set) var said = DeviceState()
    private let loop: EventLoop
    private let channel: StreamChannel
    /// Shared by all connections of the endpoint, which run on one loop.
    private let templates: PackageTemplates
    private let conditioner: LinkConditioner
    private var conditioned: ConditionedChannel?
    /// Also shared by the endpoint's connections.
    private let greetings: HelloBudget
    private let logger: Logger
    private var machine: ConnectionStateMachine
    private var receiver: FrameReceiver
    /// The send queue, once the peer is known to use the second version of the protocol.
    private var sending: Sending?
    private var timer: (identifier: EventLoop.TimerIdentifier, time: MonotonicTime)?
    private var onEvent: (Event) -> Void = { _ in }
    private var isReading = true
    /// The reason why this side closes the connection.
    private var closeReason: String?

    init(
        loop: EventLoop, descriptor: consuming Descriptor, number: UInt64, role: DeviceRole, times: LinkTimes,
        conditioner: LinkConditioner, templates: PackageTemplates, greetings: HelloBudget, memory: PieceBudget,
        logger: Logger
    ) {
        self.templates = templates
        self.greetings = greetings
        receiver = FrameReceiver(memory)
        self.loop = loop
        self.number = number
        self.logger = logger
        self.conditioner = conditioner
        channel = StreamChannel(loop: loop, descriptor: descriptor, maximumQueuedBytes: LinkLimits.queuedBytes)
        // Until the hello has been accepted, only as many bytes as a hello are read; the rest stays in the kernel.
        channel.readBytes = FrameHeader.bytes + LinkLimits.helloBytes
        machine = ConnectionStateMachine(role: role, times: times)
    }

    func open(as hello: Hello, _ onEvent: @escaping (Event) -> Void) throws {
        self.onEvent = onEvent
        said = hello.state
        let conditioned = ConditionedChannel(
            loop: loop, channel: channel, conditioner.condition(of: nil), conditioner.nextChance(),
            onLateness: { [self] in conditioner.wasLate($0, by: $1, with: peer?.identifier) },
            onBytes: { [self] in received($0) })
        self.conditioned = conditioned
        try channel.open(
            onBytes: { conditioned.received($0) },
            onClose: { [self] in channelClosed($0) })
        machine.opened(at: .now)
        do {
            try send(hello.package(identifier: .random(), timestamp: Date()))
        } catch {
            // The error already reports the failure to the caller; without a hello the connection is useless.
            self.onEvent = { _ in }
            machine.closed()
            channel.close(.byThisSide("the hello could not be sent"))
            throw error
        }
        rearm()
    }

    static func == (left: LinkConnection, right: LinkConnection) -> Bool { left === right }

    func send(_ package: MessagePackage) throws(LinkSendError) {
        let bytes: Int?
        do {
            bytes = try templates.withFrame(package) { take($0, of: package) ? $0.count : nil }
        } catch {
            throw .tooLong(error)
        }
        guard let bytes else { throw .queueFull }
        pump()
        rearm()
        logger.log(
            .packageOut,
            [
                .connection(number), .command(package.commandName), .package(package.identifier),
                .bytes(bytes),
            ])
    }

    /// Writes a frame now or queues it. Returns false if the queue is full.
    private func take(_ frame: UnsafeRawBufferPointer, of package: MessagePackage) -> Bool {
        guard let sending else { return write(frame) }
        let body = UnsafeRawBufferPointer(rebasing: frame[FrameHeader.bytes...])
        let lane = SendLane(package)
        guard let wantsAcknowledgement = sending.scheduler.pass(lane, bytes: body.count, at: loop.now) else {
            return sending.scheduler.enqueue(lane, [UInt8](body))
        }
        guard wantsAcknowledgement else { return write(frame) }
        let header = FrameHeader(.package, length: body.count, wantsAcknowledgement: true)
        return withUnsafeBytes(of: header.word.bigEndian) { write($0) } && write(body)
    }

    /// Writes everything that may be sent now.
    private func pump() {
        while let piece = sending?.scheduler.next(at: loop.now) { write(piece) }
    }

    private func write(_ piece: SendScheduler.Piece) {
        let isWritten = piece.header.withUnsafeBytes { write($0) } && piece.bytes.withUnsafeBytes { write($0) }
        // Windows are smaller than a channel's queue: if it is full, the peer is about to be disconnected.
        if !isWritten { close(LinkSendError.deaf) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // After this side has closed the connection nothing is written.
        guard conditioned?.write(bytes) != false else { return false }
        Self.bytesOut.add(bytes.count)
        machine.sent(at: loop.now)
        return true
    }

    /// Sends an acknowledgement if the peer requested one.
    private func acknowledge() {
        guard !machine.isClosed,
            let word = receiver.acknowledge(at: loop.now, isConditioned: conditioned?.holdsIncoming ?? true)
        else { return }
        if !word.frame.withUnsafeBytes({ write($0) }) { close(LinkSendError.deaf) }
    }

    func setReading(_ isReading: Bool) {
        guard isReading != self.isReading else { return }
        self.isReading = isReading
        machine.readingChanged(isReading, at: .now)
        conditioned?.setReading(isReading)
        logger.log(isReading ? .readingResumed : .readingPaused, [.connection(number)])
        if isReading { takeFrames() }
    }

    /// Sends the reason to the peer, then closes.
    func close(_ reason: String) {
        guard closeReason == nil else { return }
        closeReason = reason
        machine.closed()
        // Urgent packages are still sent; transfers restart on the next connection.
        while let piece = sending?.scheduler.last(at: loop.now) { write(piece) }
        sending = nil
        let goodbye = MessagePackage(
            identifier: .random(), command: .goodbye, status: .sent, errorMessage: reason, timestamp: Date())
        do {
            try send(goodbye)
        } catch {
            // The peer does not read: it will notice the closed connection.
            logger.log(.peerMisbehaved, [.connection(number), .reason("the goodbye could not be sent: \(error)")])
            channel.close(.byThisSide(reason))
            return
        }
        conditioned?.closeAfterWriting(reason)
        // A peer that does not read its goodbye must not keep the connection open.
        _ = loop.schedule(at: .now + Self.goodbyeTime) { [channel] in channel.close(.byThisSide(reason)) }
    }

    /// Applies a changed condition. A connection that is out of range breaks without a goodbye.
    func conditionChanged() {
        guard !conditioner.isOutOfRange(peer?.identifier) else {
            return channel.close(.byThisSide("taken out of range by the link's condition"))
        }
        becomeConditioned()
    }

    private func becomeConditioned() {
        conditioned?.become(conditioner.condition(of: peer?.identifier))
        sending?.scheduler.linkChanged(isConditioned: conditioned?.holdsOutgoing ?? true)
    }

    /// The time allowed for writing a goodbye.
    private static let goodbyeTime: Duration = .seconds(1)

    // MARK: - Events

    private func received(_ bytes: UnsafeRawBufferPointer) {
        Self.bytesIn.add(bytes.count)
        // Bytes after an error or goodbye are read and dropped, so that the peer can read this side's last package.
        guard !machine.isClosed else { return }
        receiver.begin(bytes)
        takeFrames()
        // The rest is processed when more arrives, or when this side resumes reading.
        receiver.end()
        if machine.isClosed {
            receiver.close()
        } else if peer == nil, !greetings.keep(receiver.keptBytes, for: number) {
            receiver.close()
            machine.closed()
            fail(
                ProtocolError(
                    .tooManyHellos, "incomplete hellos of all peers exceed \(LinkLimits.ungreetedBytes) bytes"
                ))
        }
    }

    /// Lifts the limits of the hello phase.
    private func greeted(_ version: Int) {
        greetings.forget(number)
        receiver.greeted(version: version)
        if version >= ProtocolVersion.second { sending = Sending() }
        channel.readBytes = .max
        conditioned?.heldBytes = Self.heldBytes
    }

    /// The most bytes held by the link's condition. 256 KiB: the size of one read.
    private static let heldBytes = 256 * 1024

    private func takeFrames() {
        do {
            while isReading, !machine.isClosed, let item = try receiver.next(templates, from: peer?.identifier) {
                switch item {
                case .package(let package, let bytes): handle(package, bytes: bytes)
                case .piece: machine.heard(at: loop.now)
                case .acknowledgement(let word): try acknowledged(word)
                }
            }
        } catch {
            machine.closed()
            fail(error)
        }
        acknowledge()
        pump()
        rearm()
    }

    private func acknowledged(_ word: Acknowledgement) throws(ProtocolError) {
        machine.heard(at: loop.now)
        try sending?.scheduler.acknowledged(word, at: loop.now)
        if sending?.scheduler.takeNews(at: loop.now) == true { onEvent(.delivering) }
    }

    private func handle(_ package: MessagePackage, bytes: Int) {
        logger.log(
            .packageIn,
            [.connection(number), .command(package.commandName), .package(package.identifier), .bytes(bytes)])
        switch machine.received(package, at: loop.now) {
        case .establish(let hello, let version):
            peer = hello.device
            greeted(version)
            Self.established.add()
            becomeConditioned()
            onEvent(.established(hello))
        case .deliver:
            onEvent(.package(package, bytes: bytes))
        case .ignore: break
        case .sendHeartbeat: sendHeartbeat()
        case .refuse: refuse(package)
        case .peerCloses(let reason):
            closeReason = reason
            channel.close(.byThisSide("peer said: \(reason)"))
        case .fail(let error): fail(error)
        }
    }

    /// Answers an unknown command; the peer continues without it.
    private func refuse(_ package: MessagePackage) {
        let answer = package.refusal(identifier: .random(), timestamp: Date())
        logger.log(.commandRefused, fields([.command(package.commandName), .package(package.identifier)]))
        do {
            try send(answer)
        } catch {
            close(LinkSendError.deaf)
        }
    }

    private func fail(_ error: ProtocolError) {
        Self.errors.add(1, error.code.rawValue)
        logger.log(.peerMisbehaved, fields([.error(error)]))
        close("\(error)")
    }

    private func fields(_ more: [LogField]) -> [LogField] {
        [.connection(number)] + (peer.map { [.device($0.identifier)] } ?? []) + more
    }

    private func deadlinePassed() {
        timer = nil
        switch machine.deadlinePassed(at: .now) {
        case .nothing: break
        case .sendHeartbeat: sendHeartbeat()
        case .fail(let error): fail(error)
        }
        rearm()
    }

    private func sendHeartbeat() {
        do {
            try send(MessagePackage(identifier: .random(), command: .heartbeat, status: .sent, timestamp: Date()))
        } catch {
            // A full queue means that the peer does not read; its silence will end the connection.
            machine.sent(at: .now)
        }
    }

    /// Keeps one timer per connection. If it fires early, it sets the next one. One that is too late is replaced, and one that
    /// would fire much too early, and wake the process in vain.
    private func rearm() {
        guard let deadline = machine.nextDeadline else { return }
        if let timer {
            guard EventLoop.mustMove(timer.time, to: deadline) else { return }
            disarm()
        }
        timer = (loop.schedule(at: deadline) { [self] in deadlinePassed() }, deadline)
    }

    private func disarm() {
        if let timer { loop.cancel(timer.identifier) }
        timer = nil
    }

    private func channelClosed(_ reason: StreamChannel.CloseReason) {
        disarm()
        if !machine.isClosed, receiver.isInsidePackage {
            logger.log(.peerMisbehaved, fields([.reason("closed in the middle of a frame")]))
        } else if !machine.isClosed, peer == nil {
            logger.log(.peerMisbehaved, fields([.reason("closed before its hello")]))
        }
        machine.closed()
        greetings.forget(number)
        onEvent(.closed(reason: closeReason ?? "\(reason)"))
        // The callbacks hold this connection and its owner.
        onEvent = { _ in }
        conditioned = nil
    }
}
