import Foundation
import Testing

@testable import LinkProtocol

/// Tests of package faults and of faults at the app: every event in every state of a channel; every fault on every
/// occasion.
@Suite("Fault machines: every state and event")
struct FaultTableTests {
    private static let watch = Device(identifier: UUID(), role: .companion, name: "")

    private static func passage(_ command: Command = .transferUserInfo) -> FaultStateMachine.Passage {
        FaultStateMachine.Passage(
            MessagePackage(identifier: UUID(), command: command, status: .sent, timestamp: Date()), watch, .outgoing)
    }

    /// The packages that wait in the channel.
    enum Channel: String, CaseIterable {
        case nothing
        /// One until second 10.
        case delayed
        /// One until it is released.
        case held
        /// One until second 10, and one after it until it is released.
        case delayedAndHeld

        var machine: FaultStateMachine {
            var machine = FaultStateMachine(Chance(seed: 1))
            let once = FaultSelection(limit: 1)
            if self == .delayed || self == .delayedAndHeld {
                machine.add(FaultRule(.delay(.seconds(10)), .userInfo, .outgoing, once))
                _ = machine.decide(passage(), at: at(0))
            }
            if self == .held || self == .delayedAndHeld {
                machine.add(FaultRule(.hold, .userInfo, .outgoing, once))
                _ = machine.decide(passage(), at: at(0))
            }
            return machine
        }
    }

    /// A user info to which a rule applies at second 1, or an event that ends the wait.
    enum Event: String, CaseIterable {
        case noRule, drop, delay, duplicate, hold, lose, overtakes, deadline9, deadline10, released, cleared,
            disconnected

        private var effect: FaultRule.Effect? {
            switch self {
            case .drop: .drop
            case .delay: .delay(.seconds(3))
            case .duplicate: .duplicate
            case .hold: .hold
            case .lose: .lose(.seconds(7))
            case .noRule, .overtakes, .deadline9, .deadline10, .released, .cleared, .disconnected: nil
            }
        }

        func happen(to machine: inout FaultStateMachine) -> FaultStateMachine.Decision {
            if let effect { machine.add(FaultRule(effect, .userInfo)) }
            switch self {
            case .noRule, .drop, .delay, .duplicate, .hold, .lose: return machine.decide(passage(), at: at(1))
            case .overtakes: return machine.decide(passage(.updateApplicationContext), at: at(1))
            case .deadline9: return FaultStateMachine.Decision(passing: machine.deadlinePassed(at: at(9)))
            case .deadline10: return FaultStateMachine.Decision(passing: machine.deadlinePassed(at: at(10)))
            case .released: return FaultStateMachine.Decision(passing: machine.release())
            case .cleared: return FaultStateMachine.Decision(passing: machine.clear())
            case .disconnected:
                machine.disconnected(watch.identifier)
                return FaultStateMachine.Decision()
            }
        }
    }

    private struct Outcome: Equatable {
        /// The number of packages that proceed, and the number that wait afterwards.
        let passing: Int
        let waiting: Int
        /// The deadline of the first waiting package.
        let deadline: Double?
        let loss: Duration?

        init(_ passing: Int, waiting: Int, until deadline: Double? = nil, loss: Duration? = nil) {
            (self.passing, self.waiting, self.deadline, self.loss) = (passing, waiting, deadline, loss)
        }
    }

    private static func outcome(_ channel: Channel, _ event: Event) -> Outcome {
        switch (channel, event) {
        case (.nothing, .noRule), (.nothing, .overtakes): Outcome(1, waiting: 0)
        case (.nothing, .drop): Outcome(0, waiting: 0)
        case (.nothing, .delay): Outcome(0, waiting: 1, until: 4)
        case (.nothing, .duplicate): Outcome(2, waiting: 0)
        case (.nothing, .hold): Outcome(0, waiting: 1)
        case (.nothing, .lose): Outcome(0, waiting: 0, loss: .seconds(7))
        case (.nothing, .deadline9), (.nothing, .deadline10), (.nothing, .released): Outcome(0, waiting: 0)
        case (.nothing, .cleared), (.nothing, .disconnected): Outcome(0, waiting: 0)
        case (.delayed, .noRule): Outcome(0, waiting: 2, until: 10)
        case (.delayed, .overtakes): Outcome(1, waiting: 1, until: 10)
        case (.delayed, .drop): Outcome(0, waiting: 1, until: 10)
        case (.delayed, .delay), (.delayed, .hold): Outcome(0, waiting: 2, until: 10)
        case (.delayed, .duplicate): Outcome(0, waiting: 3, until: 10)
        case (.delayed, .lose): Outcome(0, waiting: 1, until: 10, loss: .seconds(7))
        case (.delayed, .deadline9): Outcome(0, waiting: 1, until: 10)
        case (.delayed, .deadline10), (.delayed, .released), (.delayed, .cleared): Outcome(1, waiting: 0)
        case (.delayed, .disconnected): Outcome(0, waiting: 0)
        case (.held, .noRule), (.held, .delay), (.held, .hold): Outcome(0, waiting: 2)
        case (.held, .overtakes): Outcome(1, waiting: 1)
        case (.held, .drop): Outcome(0, waiting: 1)
        case (.held, .duplicate): Outcome(0, waiting: 3)
        case (.held, .lose): Outcome(0, waiting: 1, loss: .seconds(7))
        case (.held, .deadline9), (.held, .deadline10): Outcome(0, waiting: 1)
        case (.held, .released), (.held, .cleared): Outcome(1, waiting: 0)
        case (.held, .disconnected): Outcome(0, waiting: 0)
        case (.delayedAndHeld, .noRule), (.delayedAndHeld, .delay), (.delayedAndHeld, .hold):
            Outcome(0, waiting: 3, until: 10)
        case (.delayedAndHeld, .overtakes): Outcome(1, waiting: 2, until: 10)
        case (.delayedAndHeld, .drop): Outcome(0, waiting: 2, until: 10)
        case (.delayedAndHeld, .duplicate): Outcome(0, waiting: 4, until: 10)
        case (.delayedAndHeld, .lose): Outcome(0, waiting: 2, until: 10, loss: .seconds(7))
        case (.delayedAndHeld, .deadline9): Outcome(0, waiting: 2, until: 10)
        case (.delayedAndHeld, .deadline10): Outcome(1, waiting: 1)
        case (.delayedAndHeld, .released), (.delayedAndHeld, .cleared): Outcome(2, waiting: 0)
        case (.delayedAndHeld, .disconnected): Outcome(0, waiting: 0)
        }
    }

    @Test("Each fault and each end of a wait releases and keeps the right packages, whatever waits already")
    func pairs() {
        for channel in Channel.allCases {
            for event in Event.allCases {
                var machine = channel.machine
                let decision = event.happen(to: &machine)
                let came = Outcome(
                    decision.passing.count, waiting: machine.waitingCount,
                    until: machine.nextDeadline?.seconds(since: at(0)), loss: decision.loss)
                #expect(came == Self.outcome(channel, event), "\(event) while \(channel)")
            }
        }
    }

    @Test("All waiting packages are released once, in order: a delayed one before one held after it")
    func order() {
        var machine = FaultStateMachine(Chance(seed: 1))
        machine.add(FaultRule(.delay(.seconds(10)), .userInfo, .outgoing, FaultSelection(nth: 1)))
        machine.add(FaultRule(.hold, .userInfo, .outgoing, FaultSelection(nth: 2)))
        let passages = (0..<4).map { _ in Self.passage() }
        for passage in passages { _ = machine.decide(passage, at: at(0)) }
        let delayed = machine.deadlinePassed(at: at(1_000)).map(\.package.identifier)
        let released = machine.release().map(\.package.identifier)
        #expect(delayed + released == passages.map(\.package.identifier))
        #expect(delayed.count == 1)
    }

    // MARK: - At the app

    private static let effects: [AppFault.Effect] = [
        .duplicate(.message), .replay, .fail(.file, .genericError), .slow(.isReachable, .seconds(1)),
        .slow(.any, .seconds(1)), .early(.seconds(2)),
    ]
    private static let occasions: [AppFault.Occasion] = [
        .given(.message), .given(.context), .contextFollowed, .attempted(.file), .attempted(.message),
        .read(.isReachable), .read(.isPaired), .woken,
    ]

    /// Returns the indices of the occasions to which a fault applies.
    private static func met(by effect: AppFault.Effect) -> [Int] {
        switch effect {
        case .duplicate: [0]
        case .replay: [2]
        case .fail: [3]
        case .slow(.any, _): [5, 6]
        case .slow: [5]
        case .early: [7]
        }
    }

    @Test("Each fault at the app applies to its occasions and to no others")
    func occasions() {
        for effect in Self.effects {
            let met = Self.occasions.indices.filter { index in
                var machine = AppFaultStateMachine(Chance(seed: 1))
                machine.add(AppFault(effect))
                let isMet = machine.meet(Self.occasions[index]) == AppFault(effect)
                #expect(machine.injectedCount == (isMet ? 1 : 0))
                return isMet
            }
            #expect(met == Self.met(by: effect), "\(effect)")
        }
    }
}
