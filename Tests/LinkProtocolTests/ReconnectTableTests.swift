import Testing

@testable import LinkProtocol

/// Tests of a companion's connection attempts: every event in every state.
@Suite("Reconnect machine: every state and event")
struct ReconnectTableTests {
    enum State: String, CaseIterable, Codable, Sendable {
        case stopped
        /// After one failure.
        case connecting
        /// Since second 1, after one failure.
        case connected
        /// Until second 2.
        case waiting

        var machine: ReconnectStateMachine {
            var machine = ReconnectStateMachine(backoff: Backoff(initial: .seconds(2), maximum: .seconds(60)))
            guard self != .stopped else { return machine }
            _ = machine.start()
            _ = machine.failed(at: at(0), jitter: 1)
            guard self != .waiting else { return machine }
            _ = machine.deadlinePassed(at: at(2))
            if self == .connected { machine.connected(at: at(3)) }
            return machine
        }
    }

    enum Event: String, CaseIterable, Codable, Sendable {
        case start, connected, failedSoon, failedLate, deadlineEarly, deadlineDue, retryNow, stop

        func happen(to machine: inout ReconnectStateMachine) -> ReconnectStateMachine.Action? {
            switch self {
            case .start: return machine.start()
            case .connected: machine.connected(at: at(3))
            case .failedSoon: return machine.failed(at: at(4), jitter: 1)
            case .failedLate: return machine.failed(at: at(8), jitter: 1)
            case .deadlineEarly: return machine.deadlinePassed(at: at(1.9))
            case .deadlineDue: return machine.deadlinePassed(at: at(2))
            case .retryNow: return machine.retryNow()
            case .stop: machine.stop()
            }
            return nil
        }
    }

    private enum Outcome: Equatable {
        /// The action, if any, and the time of the next attempt.
        case comes(ReconnectStateMachine.Action?, next: MonotonicTime? = nil)
        /// A programming error of the driver: the program stops with this text.
        case mistake(String)
    }

    private static func outcome(_ state: State, _ event: Event) -> Outcome {
        switch (state, event) {
        case (.stopped, .start): .comes(.connect)
        case (.stopped, .connected): .mistake("connected without an attempt, while stopped")
        case (.stopped, .failedSoon), (.stopped, .failedLate): .comes(.nothing)
        case (.stopped, .deadlineEarly), (.stopped, .deadlineDue): .mistake("a deadline passed while stopped")
        case (.stopped, .retryNow): .comes(.nothing)
        case (.stopped, .stop): .comes(nil)
        case (.connecting, .start): .mistake("started while connecting")
        case (.connecting, .connected): .comes(nil)
        case (.connecting, .failedSoon): .comes(.wait(.seconds(4), until: at(8)), next: at(8))
        case (.connecting, .failedLate): .comes(.wait(.seconds(4), until: at(12)), next: at(12))
        case (.connecting, .deadlineEarly), (.connecting, .deadlineDue): .mistake("a deadline passed while connecting")
        case (.connecting, .retryNow): .comes(.nothing)
        case (.connecting, .stop): .comes(nil)
        case (.connected, .start): .mistake("started while connected")
        case (.connected, .connected): .mistake("connected without an attempt, while connected")
        case (.connected, .failedSoon): .comes(.wait(.seconds(4), until: at(8)), next: at(8))
        case (.connected, .failedLate): .comes(.wait(.seconds(2), until: at(10)), next: at(10))
        case (.connected, .deadlineEarly), (.connected, .deadlineDue): .mistake("a deadline passed while connected")
        case (.connected, .retryNow): .comes(.nothing)
        case (.connected, .stop): .comes(nil)
        case (.waiting, .start): .mistake("started while waiting")
        case (.waiting, .connected): .mistake("connected without an attempt, while waiting")
        case (.waiting, .failedSoon), (.waiting, .failedLate): .mistake("failed without an attempt, while waiting")
        case (.waiting, .deadlineEarly): .comes(.nothing, next: at(2))
        case (.waiting, .deadlineDue): .comes(.connect)
        case (.waiting, .retryNow): .comes(.connect)
        case (.waiting, .stop): .comes(nil)
        }
    }

    @Test("Each event in each state leads to its action and next deadline")
    func pairs() {
        for (state, event) in Self.pairs {
            let expected = Self.outcome(state, event)
            if case .mistake = expected { continue }
            var machine = state.machine
            let came = Outcome.comes(event.happen(to: &machine), next: machine.nextDeadline)
            #expect(came == expected, "\(event) while \(state)")
        }
    }

    private static let pairs: [(State, Event)] = State.allCases.flatMap { state in Event.allCases.map { (state, $0) } }
    private static let mistakes: [(State, Event)] = pairs.filter {
        if case .mistake = outcome($0, $1) { true } else { false }
    }

    @Test("A programming error of the driver stops the program with the event and the state", arguments: mistakes)
    func mistake(_ state: State, _ event: Event) async {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [state, event] in
            var machine = state.machine
            _ = event.happen(to: &machine)
        }
        let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        guard case .mistake(let text) = Self.outcome(state, event) else { return }
        #expect(said.contains(text))
    }
}
