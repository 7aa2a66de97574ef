import Foundation

/// The life of one connection, the same on both sides.
///
///     idle ── opened ──► greeting ── hello ──► established ──► closed
///                           └── time-out, wrong version, wrong role, anything but a hello ──┘
///
/// Each side says hello first and then waits for the other's. Afterwards either side sends a heartbeat when it has sent
/// nothing else for a while, and takes silence for death. While this side does not read, because its own delegate is
/// behind, silence proves nothing and is not counted.
///
/// Each event takes the state and has to give one back: the compiler finds a branch that forgets it. An event that no driver may
/// send in a state ends the program: no byte of a peer and no clock leads there.
package struct ConnectionStateMachine: ~Copyable {
    private enum State: ~Copyable {
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

    /// What never changes.
    private struct Rules {
        let role: DeviceRole
        let times: LinkTimes
        let versions: ClosedRange<Int>
    }

    private var state: State
    private let rules: Rules

    /// - Parameters:
    ///   - role: This side's.
    ///   - versions: Of the protocol, as this side's hello says them.
    package init(role: DeviceRole, times: LinkTimes, versions: ClosedRange<Int> = ProtocolVersion.spoken) {
        self.init(.idle, Rules(role: role, times: times, versions: versions))
    }

    private init(_ state: consuming State, _ rules: Rules) {
        self.state = state
        self.rules = rules
    }

    // MARK: - Events

    /// The socket is connected. The driver sends the hello.
    package mutating func opened(at time: MonotonicTime) {
        switch consume state {
        case .idle: self = Self(.greeting(deadline: time + rules.times.hello), rules)
        case .greeting: preconditionFailure("a connection was opened that is greeting")
        case .established: preconditionFailure("a connection was opened that is established")
        case .closed: preconditionFailure("a connection was opened that is closed")
        }
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

    /// - Parameter hello: What a hello says, for who has it decoded already.
    package mutating func received(
        _ package: MessagePackage, hello: Hello? = nil, at time: MonotonicTime
    ) -> ReceivedAction {
        switch consume state {
        case .idle: preconditionFailure("a package was received on a connection that is idle")
        case .greeting:
            guard package.command != .goodbye else {
                self = Self(.closed, rules)
                return Self.goodbye(package)
            }
            do {
                let (hello, version) = try Self.hello(in: package, hello, rules)
                self = Self(
                    .established(Established(lastHeard: time, lastSent: time, isReading: true, version: version)), rules
                )
                return .establish(hello, version: version)
            } catch {
                self = Self(.closed, rules)
                return .fail(error)
            }
        case .established(var established):
            established.lastHeard = time
            let (action, isOver) = Self.received(package, in: established.version)
            self = isOver ? Self(.closed, rules) : Self(.established(established), rules)
            return action
        case .closed:
            // The driver closes after this turn of the loop; what was already read is dropped.
            self = Self(.closed, rules)
            return .ignore
        }
    }

    /// A part of a package came, or word of what this side sent: the second version's frames, which no peer sends before its hello
    /// was understood.
    package mutating func heard(at time: MonotonicTime) {
        switch consume state {
        case .idle: preconditionFailure("a frame was heard on a connection that is idle")
        case .greeting: preconditionFailure("a frame was heard on a connection that is greeting")
        case .established(var established):
            established.lastHeard = time
            self = Self(.established(established), rules)
        case .closed: self = Self(.closed, rules)
        }
    }

    /// Something was written: a hello and a goodbye, too.
    package mutating func sent(at time: MonotonicTime) {
        switch consume state {
        case .idle: preconditionFailure("something was sent on a connection that is idle")
        case .greeting(let deadline): self = Self(.greeting(deadline: deadline), rules)
        case .established(var established):
            established.lastSent = time
            self = Self(.established(established), rules)
        case .closed: self = Self(.closed, rules)
        }
    }

    /// This side stopped reading, or reads again. Only what an established connection brings can be too much; it may have closed
    /// meanwhile.
    package mutating func readingChanged(_ isReading: Bool, at time: MonotonicTime) {
        switch consume state {
        case .idle: preconditionFailure("reading changed on a connection that is idle")
        case .greeting: preconditionFailure("reading changed on a connection that is greeting")
        case .established(var established):
            established.isReading = isReading
            established.lastHeard = time
            self = Self(.established(established), rules)
        case .closed: self = Self(.closed, rules)
        }
    }

    package enum DeadlineAction: Equatable, Sendable {
        case nothing
        case sendHeartbeat
        /// Close the connection, saying this.
        case fail(ProtocolError)
    }

    package mutating func deadlinePassed(at time: MonotonicTime) -> DeadlineAction {
        let times = rules.times
        switch consume state {
        case .idle: preconditionFailure("a deadline passed on a connection that is idle")
        case .greeting(let deadline):
            guard time >= deadline else {
                self = Self(.greeting(deadline: deadline), rules)
                return .nothing
            }
            self = Self(.closed, rules)
            return .fail(ProtocolError(.helloTimeout, "no hello within \(times.hello.inSeconds) s"))
        case .established(let established):
            if established.isReading, time >= established.lastHeard + times.silence {
                self = Self(.closed, rules)
                return .fail(ProtocolError(.silent, "nothing heard for \(times.silence.inSeconds) s"))
            }
            self = Self(.established(established), rules)
            return time >= established.lastSent + times.heartbeat ? .sendHeartbeat : .nothing
        case .closed:
            // The timer runs on while the goodbye is written.
            self = Self(.closed, rules)
            return .nothing
        }
    }

    /// When ``deadlinePassed(at:)`` has something to do, if nothing happens before.
    package var nextDeadline: MonotonicTime? {
        switch state {
        case .idle: nil
        case .greeting(let deadline): deadline
        case .established(let established):
            established.isReading
                ? min(established.lastSent + rules.times.heartbeat, established.lastHeard + rules.times.silence)
                : established.lastSent + rules.times.heartbeat
        case .closed: nil
        }
    }

    package var isClosed: Bool {
        switch state {
        case .idle: false
        case .greeting: false
        case .established: false
        case .closed: true
        }
    }

    /// The connection ends: by either side's will, or because the peer's bytes are no packages.
    package mutating func closed() { self = Self(.closed, rules) }

    // MARK: - Rules

    private static func hello(
        in package: MessagePackage, _ decoded: Hello?, _ rules: Rules
    ) throws(ProtocolError) -> (Hello, version: Int) {
        guard package.command == .hello else {
            throw ProtocolError(.helloExpected, "\(package.commandName) before a hello")
        }
        let hello = if let decoded { decoded } else { try Hello(package) }
        let version = try ProtocolVersion.shared(rules.versions, hello.versions)
        let role = rules.role.counterpart
        guard hello.device.role == role else {
            throw ProtocolError(.wrongRole, "the peer is a \(hello.device.role.rawValue), wanted is a \(role.rawValue)")
        }
        return (hello, version)
    }

    /// What follows from a package once both sides have said hello, and whether the connection is over by it.
    private static func received(_ package: MessagePackage, in version: Int) -> (ReceivedAction, isOver: Bool) {
        switch package.command {
        case .hello: (.fail(ProtocolError(.helloRepeated, "a second hello on one connection")), true)
        case .unrecognized:
            if version < ProtocolVersion.second {
                (.fail(ProtocolError(.unreadablePackage, "the command “\(package.commandName)” is not known")), true)
            } else {
                // An answer to what this side never sent is noticed where other stray answers are.
                (package.answers == nil ? .refuse : .deliver, false)
            }
        case .heartbeat: (.ignore, false)
        case .goodbye: (goodbye(package), true)
        case .sendMessage, .sendMessageData, .updateApplicationContext, .transferUserInfo,
            .transferCurrentComplicationUserInfo, .transferFile, .state, .fileChunk, .fileProgress, .cancel:
            (.deliver, false)
        }
    }

    private static func goodbye(_ package: MessagePackage) -> ReceivedAction {
        .peerCloses(reason: package.errorMessage ?? "no reason given")
    }
}
