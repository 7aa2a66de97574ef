import Foundation
import Testing

@testable import LinkProtocol

/// Tests of a connection: every event in every state.
@Suite("Connection machine: every state and event")
struct ConnectionTableTests {
    enum State: String, CaseIterable, Codable, Sendable {
        case idle
        /// Opened at second 0.
        case greeting
        /// The hello arrived at second 1.
        case established
        /// As established, and this side stopped reading at second 2.
        case paused
        /// As established, and then closed.
        case closed

        func machine() throws -> ConnectionStateMachine {
            var machine = ConnectionStateMachine(role: .companion, times: ConnectionStateMachineTests.times)
            guard self != .idle else { return machine }
            machine.opened(at: at(0))
            guard self != .greeting else { return machine }
            _ = machine.received(try package(.hello), at: at(1))
            if self == .paused { machine.readingChanged(false, at: at(2)) }
            if self == .closed { machine.closed() }
            return machine
        }
    }

    /// The events. All occur at second 3, unless they say otherwise.
    enum Event: String, CaseIterable, Codable, Sendable {
        case opened, hello, message, heartbeat, heartbeat6, goodbye, unknown, heard, sent, stopsReading, reads
        case deadline3, deadline11, deadline40, closed

        func happen(to machine: inout ConnectionStateMachine) throws -> Came {
            switch self {
            case .opened: machine.opened(at: at(3))
            case .hello: return .received(machine.received(try package(.hello), at: at(3)))
            case .message: return .received(machine.received(try package(.sendMessage), at: at(3)))
            case .heartbeat: return .received(machine.received(try package(.heartbeat), at: at(3)))
            case .heartbeat6: return .received(machine.received(try package(.heartbeat), at: at(6)))
            case .goodbye: return .received(machine.received(try package(.goodbye), at: at(3)))
            case .unknown: return .received(machine.received(try package(.unrecognized), at: at(3)))
            case .heard: machine.heard(at: at(3))
            case .sent: machine.sent(at: at(3))
            case .stopsReading: machine.readingChanged(false, at: at(3))
            case .reads: machine.readingChanged(true, at: at(3))
            case .deadline3: return .deadline(machine.deadlinePassed(at: at(3)))
            case .deadline11: return .deadline(machine.deadlinePassed(at: at(11)))
            case .deadline40: return .deadline(machine.deadlinePassed(at: at(40)))
            case .closed: machine.closed()
            }
            return .nothing
        }
    }

    enum Came: Equatable {
        case nothing
        case received(ConnectionStateMachine.ReceivedAction)
        case deadline(ConnectionStateMachine.DeadlineAction)
    }

    private enum Outcome: Equatable {
        /// The action and the next deadline; nil for none, as the connection is closed or not open.
        case comes(Came, next: Double?)
        /// A programming error of the driver: the program stops with this text.
        case mistake(String)
    }

    private static let phone = UUID()

    private static func package(_ command: Command) throws -> MessagePackage {
        guard command == .hello else {
            return MessagePackage(
                identifier: UUID(), command: command, status: .sent,
                errorMessage: command == .goodbye ? "tired" : nil, timestamp: Date())
        }
        return try peersHello.package(identifier: UUID(), timestamp: Date())
    }

    private static let peersHello = Hello(device: Device(identifier: phone, role: .host, name: "p"))

    private static func outcome(_ state: State, _ event: Event) -> Outcome {
        switch state {
        case .idle: idle(event)
        case .greeting: greeting(event)
        case .established: established(event)
        case .paused: paused(event)
        case .closed: closed(event)
        }
    }

    private static func idle(_ event: Event) -> Outcome {
        switch event {
        case .opened: .comes(.nothing, next: 8)
        case .hello, .message, .heartbeat, .heartbeat6, .goodbye, .unknown:
            .mistake("a package was received while idle")
        case .heard: .mistake("a frame was heard while idle")
        case .sent: .mistake("something was sent while idle")
        case .stopsReading, .reads: .mistake("reading changed while idle")
        case .deadline3, .deadline11, .deadline40: .mistake("a deadline passed while idle")
        case .closed: .comes(.nothing, next: nil)
        }
    }

    private static func greeting(_ event: Event) -> Outcome {
        switch event {
        case .opened: .mistake("a connection was opened while greeting")
        case .hello: .comes(.received(.establish(peersHello, version: 2)), next: 13)
        case .message: .comes(.received(failure(.helloExpected, "SendMessage before a hello")), next: nil)
        case .heartbeat, .heartbeat6: .comes(.received(failure(.helloExpected, "Heartbeat before a hello")), next: nil)
        case .goodbye: .comes(.received(.peerCloses(reason: "tired")), next: nil)
        case .unknown: .comes(.received(failure(.helloExpected, "Unrecognized before a hello")), next: nil)
        case .heard: .mistake("a frame was heard while greeting")
        case .sent: .comes(.nothing, next: 5)
        case .stopsReading, .reads: .mistake("reading changed while greeting")
        case .deadline3: .comes(.deadline(.nothing), next: 5)
        case .deadline11, .deadline40:
            .comes(.deadline(.fail(ProtocolError(.helloTimeout, "no hello within 5.0 s"))), next: nil)
        case .closed: .comes(.nothing, next: nil)
        }
    }

    private static func established(_ event: Event) -> Outcome {
        switch event {
        case .opened: .mistake("a connection was opened while established")
        case .hello: .comes(.received(failure(.helloRepeated, "a second hello on one connection")), next: nil)
        case .message: .comes(.received(.deliver), next: 11)
        case .heartbeat: .comes(.received(.ignore), next: 11)
        // Half an interval after it sent something: it answers.
        case .heartbeat6: .comes(.received(.sendHeartbeat), next: 11)
        case .goodbye: .comes(.received(.peerCloses(reason: "tired")), next: nil)
        case .unknown: .comes(.received(.refuse), next: 11)
        case .heard: .comes(.nothing, next: 11)
        case .sent: .comes(.nothing, next: 13)
        case .stopsReading, .reads: .comes(.nothing, next: 11)
        case .deadline3: .comes(.deadline(.nothing), next: 11)
        case .deadline11: .comes(.deadline(.sendHeartbeat), next: 11)
        case .deadline40: .comes(.deadline(.fail(ProtocolError(.silent, "nothing heard for 35.0 s"))), next: nil)
        case .closed: .comes(.nothing, next: nil)
        }
    }

    /// As while reading, but silence does not close the connection.
    private static func paused(_ event: Event) -> Outcome {
        event == .deadline40 ? .comes(.deadline(.sendHeartbeat), next: 11) : established(event)
    }

    private static func closed(_ event: Event) -> Outcome {
        switch event {
        case .opened: .mistake("a connection was opened while closed")
        case .hello, .message, .heartbeat, .heartbeat6, .goodbye, .unknown: .comes(.received(.ignore), next: nil)
        case .heard, .sent, .stopsReading, .reads: .comes(.nothing, next: nil)
        case .deadline3, .deadline11, .deadline40: .comes(.deadline(.nothing), next: nil)
        case .closed: .comes(.nothing, next: nil)
        }
    }

    private static func failure(_ code: ProtocolError.Code, _ detail: String) -> ConnectionStateMachine.ReceivedAction {
        .fail(ProtocolError(code, detail))
    }

    private static let pairs: [(State, Event)] = State.allCases.flatMap { state in Event.allCases.map { (state, $0) } }
    private static let mistakes: [(State, Event)] = pairs.filter {
        if case .mistake = outcome($0, $1) { true } else { false }
    }

    @Test("Each event in each state leads to its action and next deadline; only an end closes")
    func pairs() throws {
        for (state, event) in Self.pairs {
            let expected = Self.outcome(state, event)
            guard case .comes(_, let next) = expected else { continue }
            var machine = try state.machine()
            let came = Outcome.comes(try event.happen(to: &machine), next: machine.nextDeadline?.seconds(since: at(0)))
            #expect(came == expected, "\(event) while \(state)")
            let isClosed = machine.isClosed
            #expect(isClosed == (next == nil), "\(event) while \(state)")
        }
    }

    @Test("The last frame heard, package sent or read moves its deadline")
    func moves() throws {
        // Without the heartbeat, the silence deadline is next.
        for (event, silent) in [(Event.message, 38.0), (.heartbeat, 38), (.heard, 38), (.reads, 38), (.sent, 36)] {
            var machine = try State.established.machine()
            _ = try event.happen(to: &machine)
            machine.sent(at: at(1_000))
            let next = machine.nextDeadline?.seconds(since: at(0))
            #expect(next == silent, "\(event)")
        }
    }

    @Test("A programming error of the driver stops the program with the event and the state", arguments: mistakes)
    func mistake(_ state: State, _ event: Event) async {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [state, event] in
            var machine = try state.machine()
            _ = try event.happen(to: &machine)
        }
        let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        guard case .mistake(let text) = Self.outcome(state, event) else { return }
        #expect(said.contains(text))
    }
}
