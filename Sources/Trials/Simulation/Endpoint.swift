import Foundation
import LinkProtocol

/// One end of a connection: carries out its ``ConnectionStateMachine``.
final class Endpoint {
    let connection: SimulatedConnection
    let target: EventQueue.Target
    private let process: SimulatedShell
    @exclusivity(unchecked) private var machine: ConnectionStateMachine
    private(set) var peer: Device?
    private(set) var said = DeviceState()
    private(set) var isReading = true
    /// The parcels that arrived while this side was not reading.
    @exclusivity(unchecked) private var unread: [SimulatedConnection.Parcel] = []
    private var isTimerSet = false
    private var isClosed = false
    private let openedAt: MonotonicTime
    /// The times at which it sent and read something last, or could begin to.
    private var lastSent: MonotonicTime
    private var lastHeard: MonotonicTime
    private let isHost: Bool
    @exclusivity(unchecked) private var decoder = FrameDecoder()

    init(_ process: SimulatedShell, _ connection: SimulatedConnection) {
        self.process = process
        self.connection = connection
        target = process.target
        isHost = process.node.role == .host
        openedAt = process.world.now
        (lastSent, lastHeard) = (openedAt, openedAt)
        machine = ConnectionStateMachine(
            role: process.node.role, times: process.world.times, versions: process.node.versions)
        connection.attach(self, isHost: isHost)
    }

    func open() {
        said = process.greeting
        machine.opened(at: process.world.now)
        do {
            let hello = Hello(device: process.node.device, state: said, versions: process.node.versions)
            send(try process.world.package(of: hello, timestamp: process.node.wallClock))
        } catch {
            process.world.chronicle.fail(.settles, "a hello could not be archived: \(error)")
        }
        setTimer()
    }

    func send(_ package: MessagePackage) {
        guard !isClosed else { return }
        let now = process.world.now
        // A paused process catches up when it goes on.
        if peer != nil, process.node.pausedUntil == nil,
            now > max(lastSent, process.node.resumedAt).advanced(heartbeat)
        {
            complain("it sent nothing for \((now - lastSent).inSeconds) s")
        }
        lastSent = now
        connection.carry(parcel(package), fromHost: isHost)
        machine.sent(at: now)
    }

    private func parcel(_ package: MessagePackage) -> SimulatedConnection.Parcel {
        guard let templates = process.world.templates else { return .package(package) }
        do {
            return .frame(try templates.withFrame(package) { Array($0) })
        } catch {
            process.world.chronicle.fail(.behaves, "\(package.commandName) \(package.identifier): \(error)")
            return .package(package)
        }
    }

    func setReading(_ isReading: Bool) {
        guard isReading != self.isReading else { return }
        self.isReading = isReading
        lastHeard = process.world.now
        machine.readingChanged(isReading, at: process.world.now)
        takeUnread()
    }

    /// Sends the peer the reason, then closes.
    func close(_ reason: String) {
        guard !isClosed else { return }
        machine.closed()
        send(
            MessagePackage(
                identifier: process.world.identifier(), command: .goodbye, status: .sent, errorMessage: reason,
                timestamp: process.node.wallClock))
        connection.close(fromHost: isHost)
        ended(reason: reason)
    }

    func arrived(_ parcel: SimulatedConnection.Parcel) {
        guard reads, unread.isEmpty else { return unread.append(parcel) }
        handle(parcel)
        setTimer()
    }

    func ended(reason: String) {
        guard !isClosed else { return }
        isClosed = true
        machine.closed()
        connection.close(fromHost: isHost)
        process.closed(self, reason: reason)
    }

    private func takeUnread() {
        while reads, !unread.isEmpty { handle(unread.takeFirst()) }
        setTimer()
    }

    private var reads: Bool { isReading && !isClosed && !machine.isClosed }

    private func handle(_ parcel: SimulatedConnection.Parcel) {
        switch parcel {
        case .package(let package): handle(package)
        case .frame(let bytes): handle(bytes)
        case .end: break
        }
    }

    private func handle(_ bytes: [UInt8]) {
        guard let templates = process.world.templates else { return }
        do {
            let package = try bytes.withUnsafeBytes { bytes in
                decoder.begin(bytes)
                defer { decoder.end() }
                return try decoder.nextFrame { _, body throws(ProtocolError) in
                    try templates.package(body, from: peer?.identifier)
                }
            }
            if let package { handle(package) }
        } catch {
            process.world.chronicle.fail(.behaves, "a frame of \(bytes.count) bytes: \(error)")
        }
    }

    private func handle(_ package: MessagePackage) {
        lastHeard = process.world.now
        let hello = process.world.hello(of: package)
        switch machine.received(package, hello: hello, at: process.world.now) {
        case .establish(let hello, let version):
            if version != min(process.node.version, hello.versions.upperBound) {
                process.world.chronicle.fail(.behaves, "version \(version) was chosen of \(hello.versions)")
            }
            peer = hello.device
            lastSent = process.world.now
            process.established(self, hello.device, hello.state)
        case .deliver:
            guard let peer else { return }
            process.received(package, from: peer)
        case .ignore:
            guard package.command == .heartbeat, peer != nil, isHalfIdle else { break }
            complain("it did not answer a heartbeat after \((process.world.now - lastSent).inSeconds) s")
        case .sendHeartbeat:
            if !isHalfIdle { complain("it answered a heartbeat too early") }
            sendHeartbeat()
        case .refuse:
            send(package.refusal(identifier: process.world.identifier(), timestamp: process.node.wallClock))
        case .peerCloses(let reason): ended(reason: "peer said: \(reason)")
        case .fail(let error):
            // Only programs that are two versions apart cannot talk.
            if hello.map({ $0.versions.overlaps(process.node.versions) }) ?? (package.command != .hello) {
                process.world.chronicle.fail(.behaves, "\(package.commandName) was refused: \(error)")
            }
            close("\(error)")
        }
    }

    /// The interval of heartbeats of this side: a host leaves a companion a twentieth to send its own first.
    private var heartbeat: Nanoseconds { process.world.heartbeat * (isHost ? 21 : 20) / 20 }

    /// True if it has sent nothing for half an interval.
    private var isHalfIdle: Bool { process.world.now >= lastSent.advanced(process.world.heartbeat / 2) }

    private func sendHeartbeat() {
        send(
            MessagePackage(
                identifier: process.world.identifier(), command: .heartbeat, status: .sent,
                timestamp: process.node.wallClock))
    }

    private func complain(_ complaint: String) {
        process.world.chronicle.fail(
            .onTime, "connection \(connection.number) of node \(process.node.index): \(complaint)")
    }

    private func setTimer() {
        guard !isTimerSet, !isClosed, let deadline = machine.nextDeadline else { return }
        isTimerSet = true
        let delay = process.world.bug == .oversleeps ? Nanoseconds.second : 0
        process.schedule(at: deadline.advanced(delay), .endpointDeadline(self))
    }

    func deadlinePassed() {
        isTimerSet = false
        guard !isClosed else { return }
        let (now, times) = (process.world.now, process.world.times)
        let isDeaf = peer == nil ? now >= openedAt + times.hello : isReading && now >= lastHeard + times.silence
        switch machine.deadlinePassed(at: now) {
        case .nothing: if isDeaf, !machine.isClosed { complain("it waits for a peer that says nothing") }
        case .sendHeartbeat:
            if isDeaf { complain("it waits for a peer that says nothing") }
            if now < lastSent.advanced(heartbeat) { complain("it sent a heartbeat too early") }
            sendHeartbeat()
        case .fail(let error):
            if !isDeaf { complain("it was given up: \(error)") }
            // A paused process learns of it when it goes on.
            let due = peer == nil ? openedAt + times.hello : lastHeard + times.silence
            if now > max(due, process.node.resumedAt) { complain("it was given up late: \(error)") }
            close("\(error)")
        }
        setTimer()
    }
}
