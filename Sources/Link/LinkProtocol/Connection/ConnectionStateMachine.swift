import Foundation

/// The state machine of one connection, the same on both sides.
///
///     idle ── opened ──► greeting ── hello ──► established ──► closed
///                           └── time-out, wrong version, wrong role, anything but a hello ──┘
///
/// Each side sends its hello first and then waits for the peer's. Afterwards a side sends a heartbeat when it has sent
/// nothing else for a while, and treats prolonged silence as a dead peer. While this side has stopped reading because
/// its delegate lags, silence proves nothing and is not counted.
///
/// At rest the companion sends its heartbeat first; the host, awake for it, sends its own at once, and never wakes for a timer.
///
/// Each event consumes the state and must produce the next one, so the compiler finds a branch that forgets it. An
/// event that no driver may send in a state traps: neither a peer's bytes nor the clock can cause one.
package struct ConnectionStateMachine: ~Copyable {
    private enum State: ~Copyable {
        /// Before any event. Next: greeting, closed.
        case idle
        /// This side has sent its hello and waits for the peer's. Next: established, closed.
        case greeting(deadline: MonotonicTime)
        /// Both sides have sent a hello. Next: closed.
        case established(Established)
        /// The final state.
        case closed
    }

    private struct Established {
        var lastHeard: MonotonicTime
        var lastSent: MonotonicTime
        var isReading: Bool
        /// The highest protocol version that both sides support.
        let version: Int
    }

    /// The parts that never change.
    private struct Rules {
        let role: DeviceRole
        let times: LinkTimes
        /// The idle time after which this side sends a heartbeat without having received one.
        let heartbeat: Duration
        let versions: ClosedRange<Int>

        init(_ role: DeviceRole, _ times: LinkTimes, _ versions: ClosedRange<Int>) {
            (self.role, self.times, self.versions) = (role, times, versions)
            switch role {
            case .companion: heartbeat = times.heartbeat
            case .host: heartbeat = times.heartbeat + min(times.heartbeat / 20, (times.silence - times.heartbeat) / 2)
            }
        }
    }

    private var state: State
    private let rules: Rules

    /// Creates an idle connection.
    ///
    /// - Parameters:
    ///   - role: The role of this side.
    ///   - versions: The protocol versions in this side's hello.
    package init(role: DeviceRole, times: LinkTimes, versions: ClosedRange<Int> = ProtocolVersion.spoken) {
        self.init(.idle, Rules(role, times, versions))
    }

    private init(_ state: consuming State, _ rules: Rules) {
        self.state = state
        self.rules = rules
    }

    // MARK: - Events

    /// Records that the socket is connected. The driver sends the hello.
    package mutating func opened(at time: MonotonicTime) {
        switch consume state {
        case .idle: self = Self(.greeting(deadline: time + rules.times.hello), rules)
        case .greeting: preconditionFailure("a connection was opened while greeting")
        case .established: preconditionFailure("a connection was opened while established")
        case .closed: preconditionFailure("a connection was opened while closed")
        }
    }

    package enum ReceivedAction: Equatable, Sendable {
        /// Serve the peer, whose hello was accepted, in this version of the protocol.
        case establish(Hello, version: Int)
        /// Hand the package to the session.
        case deliver
        /// Do nothing: the package concerned only the link.
        case ignore
        /// Send a heartbeat now, which would be due soon.
        case sendHeartbeat
        /// Answer that the command is unknown: the peer may use a newer version.
        case refuse
        /// The peer closes the connection for this reason.
        case peerCloses(reason: String)
        /// Close the connection with this error.
        case fail(ProtocolError)
    }

    /// Handles a package from the peer.
    ///
    /// - Parameter hello: The content of a hello that the caller has already decoded.
    package mutating func received(
        _ package: MessagePackage, hello: Hello? = nil, at time: MonotonicTime
    ) -> ReceivedAction {
        switch consume state {
        case .idle: preconditionFailure("a package was received while idle")
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
            // Half an interval: earlier, a heartbeat would say little that the peer does not know.
            let isHeartbeatDue = time >= established.lastSent + rules.times.heartbeat / 2
            let (action, isOver) = Self.received(package, in: established.version, isHeartbeatDue: isHeartbeatDue)
            self = isOver ? Self(.closed, rules) : Self(.established(established), rules)
            return action
        case .closed:
            // The driver closes the connection at the end of this loop turn; packages already read are dropped.
            self = Self(.closed, rules)
            return .ignore
        }
    }

    /// Records a partial package or an acknowledgement: frames of the second version, which no peer sends before its
    /// hello was accepted.
    package mutating func heard(at time: MonotonicTime) {
        switch consume state {
        case .idle: preconditionFailure("a frame was heard while idle")
        case .greeting: preconditionFailure("a frame was heard while greeting")
        case .established(var established):
            established.lastHeard = time
            self = Self(.established(established), rules)
        case .closed: self = Self(.closed, rules)
        }
    }

    /// Records a write, including that of a hello or goodbye.
    package mutating func sent(at time: MonotonicTime) {
        switch consume state {
        case .idle: preconditionFailure("something was sent while idle")
        case .greeting(let deadline): self = Self(.greeting(deadline: deadline), rules)
        case .established(var established):
            established.lastSent = time
            self = Self(.established(established), rules)
        case .closed: self = Self(.closed, rules)
        }
    }

    /// Records that this side stopped or resumed reading. Only an established connection can deliver too much; it may
    /// have closed in the meantime.
    package mutating func readingChanged(_ isReading: Bool, at time: MonotonicTime) {
        switch consume state {
        case .idle: preconditionFailure("reading changed while idle")
        case .greeting: preconditionFailure("reading changed while greeting")
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
        /// Close the connection with this error.
        case fail(ProtocolError)
    }

    /// Checks the deadlines and returns the action that is due.
    package mutating func deadlinePassed(at time: MonotonicTime) -> DeadlineAction {
        let times = rules.times
        switch consume state {
        case .idle: preconditionFailure("a deadline passed while idle")
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
            return time >= established.lastSent + rules.heartbeat ? .sendHeartbeat : .nothing
        case .closed:
            // The timer keeps running while the goodbye is written.
            self = Self(.closed, rules)
            return .nothing
        }
    }

    /// The time at which ``deadlinePassed(at:)`` has work to do unless another event occurs first.
    package var nextDeadline: MonotonicTime? {
        switch state {
        case .idle: nil
        case .greeting(let deadline): deadline
        case .established(let established):
            established.isReading
                ? min(established.lastSent + rules.heartbeat, established.lastHeard + rules.times.silence)
                : established.lastSent + rules.heartbeat
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

    /// Records that the connection was closed, by either side or because the peer's bytes are not packages.
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
            throw ProtocolError(.wrongRole, "the peer is a \(hello.device.role.rawValue); expected a \(role.rawValue)")
        }
        return (hello, version)
    }

    /// Returns the action for a package on an established connection, and true if the package ends the connection.
    private static func received(
        _ package: MessagePackage, in version: Int, isHeartbeatDue: Bool
    ) -> (ReceivedAction, isOver: Bool) {
        switch package.command {
        case .hello: (.fail(ProtocolError(.helloRepeated, "a second hello on one connection")), true)
        case .unrecognized:
            if version < ProtocolVersion.second {
                (.fail(ProtocolError(.unreadablePackage, "unknown command “\(package.commandName)”")), true)
            } else {
                // An answer to a message that was never sent is detected where other stray answers are.
                (package.answers == nil ? .refuse : .deliver, false)
            }
        case .heartbeat: (isHeartbeatDue ? .sendHeartbeat : .ignore, false)
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
