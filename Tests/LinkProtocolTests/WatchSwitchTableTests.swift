import Foundation
import Testing

@testable import LinkProtocol

/// Tests of a person's switches between watches: every event in every state.
@Suite("Random watch switches: every state and event")
struct WatchSwitchTableTests {
    private static let first = watch(1)
    private static let second = watch(2)

    private static func watch(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    enum State: String, CaseIterable, Codable, Sendable {
        case settled
        /// At second 1,800: every random duration is half of its maximum.
        case leaving
        /// From the first watch, at second 1,800, until 60.5 s later.
        case away
        /// The phone started without the watch that was left.
        case awayFromNone

        var machine: WatchSwitchMachine {
            var machine = WatchSwitchMachine(Chance { _, _, options, _ in options / 2 })
            switch self {
            case .settled: break
            case .leaving: machine.start(active: first, at: at(0))
            case .away:
                machine.start(active: first, at: at(0))
                _ = machine.deadlinePassed(at: at(1_800), active: first, paired: [first])
            case .awayFromNone: machine.start(active: WatchSwitchMachine.other, at: at(0))
            }
            return machine
        }
    }

    enum Event: String, CaseIterable, Codable, Sendable {
        case starts, startsWithNone, startsAway
        /// The deadline at second 2,000, with the worn watch and the paired ones.
        case dueOfOne, dueOfTwo, dueOfThree, dueWithoutWatch, dueWithOther

        func happen(to machine: inout WatchSwitchMachine) -> UUID? {
            let other = WatchSwitchMachine.other
            let time = at(2_000)
            switch self {
            case .starts: machine.start(active: first, at: time)
            case .startsWithNone: machine.start(active: nil, at: time)
            case .startsAway: machine.start(active: other, at: time)
            case .dueOfOne: return machine.deadlinePassed(at: time, active: first, paired: [first])
            case .dueOfTwo: return machine.deadlinePassed(at: time, active: first, paired: [first, second])
            case .dueOfThree:
                return machine.deadlinePassed(at: time, active: other, paired: [second, other, first])
            case .dueWithoutWatch: return machine.deadlinePassed(at: time, active: nil, paired: [second, first])
            case .dueWithOther: return machine.deadlinePassed(at: time, active: other, paired: [other])
            }
            return nil
        }
    }

    private enum Outcome: Equatable {
        /// The watch to switch to, and the next deadline.
        case comes(UUID?, next: Double)
        /// A programming error of the driver: the program stops with this text.
        case mistake(String)
    }

    private static func outcome(_ state: State, _ event: Event) -> Outcome {
        let (asked, away) = (3_800.0, 2_060.5)
        return switch (state, event) {
        case (.settled, .starts), (.settled, .startsWithNone): .comes(nil, next: asked)
        case (.settled, .startsAway): .comes(nil, next: away)
        case (.settled, .dueOfOne), (.settled, .dueOfTwo), (.settled, .dueOfThree), (.settled, .dueWithoutWatch),
            (.settled, .dueWithOther):
            .mistake("a deadline passed without a scheduled switch")
        case (.leaving, .starts), (.leaving, .startsWithNone), (.leaving, .startsAway):
            .mistake("started while a watch is about to be left")
        case (.leaving, .dueOfOne): .comes(WatchSwitchMachine.other, next: away)
        case (.leaving, .dueOfTwo): .comes(second, next: away)
        case (.leaving, .dueOfThree): .comes(second, next: away)
        case (.leaving, .dueWithoutWatch): .comes(nil, next: asked)
        case (.leaving, .dueWithOther): .comes(WatchSwitchMachine.other, next: away)
        case (.away, .starts), (.away, .startsWithNone), (.away, .startsAway):
            .mistake("started while a watch is away")
        case (.away, .dueOfOne): .comes(nil, next: asked)
        case (.away, .dueOfTwo): .comes(second, next: asked)
        case (.away, .dueOfThree): .comes(first, next: asked)
        case (.away, .dueWithoutWatch): .comes(first, next: asked)
        case (.away, .dueWithOther): .comes(nil, next: asked)
        case (.awayFromNone, .starts), (.awayFromNone, .startsWithNone), (.awayFromNone, .startsAway):
            .mistake("started while a watch is away")
        case (.awayFromNone, .dueOfOne): .comes(nil, next: asked)
        case (.awayFromNone, .dueOfTwo): .comes(second, next: asked)
        case (.awayFromNone, .dueOfThree): .comes(first, next: asked)
        case (.awayFromNone, .dueWithoutWatch): .comes(first, next: asked)
        case (.awayFromNone, .dueWithOther): .comes(nil, next: asked)
        }
    }

    private static let pairs: [(State, Event)] = State.allCases.flatMap { state in Event.allCases.map { (state, $0) } }
    private static let mistakes: [(State, Event)] = pairs.filter {
        if case .mistake = outcome($0, $1) { true } else { false }
    }

    @Test("Each event in each state leads to its watch and next deadline")
    func pairs() throws {
        for (state, event) in Self.pairs {
            let expected = Self.outcome(state, event)
            if case .mistake = expected { continue }
            var machine = state.machine
            let watch = event.happen(to: &machine)
            let next = try #require(machine.nextDeadline, "\(event) while \(state)").seconds(since: at(0))
            #expect(Outcome.comes(watch, next: next) == expected, "\(event) while \(state)")
        }
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
