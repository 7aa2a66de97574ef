import Foundation

/// The life of one connection, the same on both sides.
///
///     idle ── opened ──► greeting ── hello ──► established ──► closed
///                           └── time-out, wrong version, wrong role, anything but a hello ──┘
///
/// Each side says hello first and then waits for the other's. Afterwards either side sends a heartbeat when it has sent
/// nothing else for a while, and takes silence for death. While this side does not read, because its own delegate is
/// behind, silence proves nothing and is not counted.
package struct ConnectionStateMachine {
    private enum State {
        /// Nothing has happened. Can become: greeting, closed.
        case idle
        /// Our hello is out, the peer's is awaited. Can become: established, closed.
        case greeting(deadline: MonotonicTime)
        /// Both have said hello. Can become: closed.
        case established(Established)
        /// Nothing follows.
        case closed
    }

    private struct Established {
        var lastHeard: MonotonicTime
        var lastSent: MonotonicTime
        var isReading: Bool
        /// The highest that both sides speak.
        let version: Int
    }

    private var state: State
    private let role: DeviceRole
    private let times: LinkTimes
    private let versions: ClosedRange<Int>

    /// - Parameters:
    ///   - role: This side's.
    ///   - versions: Of the protocol, as this side's hello says them.
    package init(role: DeviceRole, times: LinkTimes, versions: ClosedRange<Int> = ProtocolVersion.spoken) {
        self.role = role
        self.times = times
        self.versions = versions
        state = .idle
    }

    // MARK: - Events

    /// The socket is connected. The driver sends the hello.
    package mutating func opened(at time: MonotonicTime) {
        guard case .idle = state else { return }
        state = .greeting(deadline: time + times.hello)
    }

    package enum ReceivedAction: Equatable, Sendable {
        /// The peer said hello: it may be served now, in this version of the protocol.
        case establish(Hello, version: Int)
        /// Hand the package to the session.
        case deliver
        /// The link's own affair; nothing to do.
        case ignore
        /// Answer that this side does not know the command: the peer may speak a newer version as well.
        case refuse
        /// The peer says why it will close.
        case peerCloses(reason: String)
        /// Close the connection, saying this.
        case fail(ProtocolError)
    }

    package mutating func received(_ package: MessagePackage, at time: MonotonicTime) -> ReceivedAction {
        switch state {
        case .idle:
            state = .closed
            return .fail(ProtocolError(.helloExpected, "a package before the connection was open"))
        case .greeting:
            if package.command == .goodbye {
                state = .closed
                return .peerCloses(reason: package.errorMessage ?? "no reason given")
            }
            do {
                let (hello, version) = try Self.hello(in: package, expecting: role.counterpart, versions)
                state = .established(
                    Established(lastHeard: time, lastSent: time, isReading: true, version: version))
                return .establish(hello, version: version)
            } catch {
                state = .closed
                return .fail(error)
            }
        case .established(var established):
            established.lastHeard = time
            state = .established(established)
            switch package.command {
            case .hello:
                state = .closed
                return .fail(ProtocolError(.helloRepeated, "a second hello on one connection"))
            case .unrecognized: return unrecognized(package, in: established.version)
            case .heartbeat: return .ignore
            case .goodbye:
                state = .closed
                return .peerCloses(reason: package.errorMessage ?? "no reason given")
            case .sendMessage, .sendMessageData, .updateApplicationContext, .transferUserInfo,
                .transferCurrentComplicationUserInfo, .transferFile, .state, .fileChunk, .fileProgress, .cancel:
                return .deliver
            }
        case .closed:
            // The driver closes after this turn of the loop; what was already read is dropped.
            return .ignore
        }
    }

    /// A part of a package came, or word of what this side sent.
    package mutating func heard(at time: MonotonicTime) {
        updateEstablished { $0.lastHeard = time }
    }

    package mutating func sent(at time: MonotonicTime) {
        updateEstablished { $0.lastSent = time }
    }

    /// This side stopped reading, or reads again.
    package mutating func readingChanged(_ isReading: Bool, at time: MonotonicTime) {
        updateEstablished { established in
            established.isReading = isReading
            established.lastHeard = time
        }
    }

    package enum DeadlineAction: Equatable, Sendable {
        case nothing
        case sendHeartbeat
        /// Close the connection, saying this.
        case fail(ProtocolError)
    }

    package mutating func deadlinePassed(at time: MonotonicTime) -> DeadlineAction {
        switch state {
        case .idle, .closed: return .nothing
        case .greeting(let deadline):
            guard time >= deadline else { return .nothing }
            state = .closed
            return .fail(ProtocolError(.helloTimeout, "no hello within \(times.hello.inSeconds) s"))
        case .established(let established):
            if established.isReading, time >= established.lastHeard + times.silence {
                state = .closed
                return .fail(ProtocolError(.silent, "nothing heard for \(times.silence.inSeconds) s"))
            }
            return time >= established.lastSent + times.heartbeat ? .sendHeartbeat : .nothing
        }
    }

    /// When ``deadlinePassed(at:)`` has something to do, if nothing happens before.
    package var nextDeadline: MonotonicTime? {
        switch state {
        case .idle, .closed: nil
        case .greeting(let deadline): deadline
        case .established(let established):
            established.isReading
                ? min(established.lastSent + times.heartbeat, established.lastHeard + times.silence)
                : established.lastSent + times.heartbeat
        }
    }

    package var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// The connection ends: by either side's will, or because the peer's bytes are no packages.
    package mutating func closed() { state = .closed }

    // MARK: - Rules

    private static func hello(
        in package: MessagePackage, expecting role: DeviceRole, _ versions: ClosedRange<Int>
    ) throws(ProtocolError) -> (Hello, version: Int) {
        guard package.command == .hello else {
            throw ProtocolError(.helloExpected, "\(package.commandName) before a hello")
        }
        let hello = try Hello(package)
        let version = try ProtocolVersion.shared(versions, hello.versions)
        guard hello.device.role == role else {
            throw ProtocolError(.wrongRole, "the peer is a \(hello.device.role.rawValue), wanted is a \(role.rawValue)")
        }
        return (hello, version)
    }

    /// An answer to what this side never sent is noticed where other stray answers are.
    private mutating func unrecognized(_ package: MessagePackage, in version: Int) -> ReceivedAction {
        if version >= ProtocolVersion.second { return package.answers == nil ? .refuse : .deliver }
        state = .closed
        return .fail(ProtocolError(.unreadablePackage, "the command “\(package.commandName)” is not known"))
    }

    private mutating func updateEstablished(_ change: (inout Established) -> Void) {
        guard case .established(var established) = state else { return }
        change(&established)
        state = .established(established)
    }
}
