import Foundation
import Testing

@testable import LinkProtocol

/// A watch as the phone sees it: however it stood, whatever is so then, and however the phone's idea of it goes wrong.
@Suite("Who can be reached: every state, fault and event")
struct ReachTests {
    private static let watch = UUID()
    private typealias Idea = ReachabilityFault.Idea

    private static func own(serves: Bool = true) -> DeviceState {
        var state = DeviceState()
        state.serves = serves
        return state
    }

    private static func background() -> DeviceState {
        var state = DeviceState()
        state.application = .background
        return state
    }

    /// What is so now.
    enum Fact: String, CaseIterable {
        case foreground
        /// It takes transfers, and no messages.
        case background
        case notServed, notActivated, gone

        func settle(_ reach: inout Reach) -> Reach.Change {
            switch self {
            case .foreground, .notServed, .notActivated: come(&reach, DeviceState())
            case .background: come(&reach, ReachTests.background())
            case .gone: _ = reach.disconnected(watch)
            }
            return reach.settle(
                watch, Reach.Situation(own: own(serves: self != .notServed), isActivated: self != .notActivated))
        }

        private func come(_ reach: inout Reach, _ state: DeviceState) {
            if reach.changed(watch, state) == nil { reach.connected(watch, state, said: own()) }
        }
    }

    /// How it stood before.
    enum State: String, CaseIterable {
        case never, reachable, background, notServed
        /// It is gone, and is believed to be reachable as it was.
        case believed

        var reach: Reach {
            var reach = Reach(.host)
            switch self {
            case .never: break
            case .reachable: _ = Fact.foreground.settle(&reach)
            case .background: _ = Fact.background.settle(&reach)
            case .notServed: _ = Fact.notServed.settle(&reach)
            case .believed:
                _ = Fact.foreground.settle(&reach)
                reach.fault = ReachabilityFault(.stale)
                _ = Fact.gone.settle(&reach)
            }
            return reach
        }

        /// Whether it was reachable, took transfers, and what it was told.
        var standing: (isReachable: Bool, takesTransfers: Bool, told: DeviceState?) {
            switch self {
            case .never: (false, false, nil)
            case .reachable: (true, true, own())
            case .background: (false, true, own())
            case .notServed: (false, false, own(serves: false))
            case .believed: (true, false, nil)
            }
        }
    }

    private static func isReachable(_ idea: Idea, _ fact: Fact, was: Bool) -> Bool {
        switch (idea, fact) {
        case (.right, .foreground): true
        case (.right, .background), (.right, .notServed), (.right, .notActivated), (.right, .gone): false
        case (.stale, .foreground), (.stale, .background), (.stale, .notServed), (.stale, .notActivated): was
        case (.stale, .gone): was
        case (.always, .foreground), (.always, .background), (.always, .notServed), (.always, .notActivated): true
        case (.always, .gone): false
        case (.never, .foreground), (.never, .background), (.never, .notServed), (.never, .notActivated): false
        case (.never, .gone): false
        }
    }

    private static func takesTransfers(_ fact: Fact) -> Bool {
        switch fact {
        case .foreground, .background, .notActivated: true
        case .notServed, .gone: false
        }
    }

    @Test("Each fact, however the watch stood, makes the right difference, told once", arguments: Idea.allCases)
    func pairs(_ idea: ReachabilityFault.Idea) {
        for state in State.allCases {
            for fact in Fact.allCases {
                var reach = state.reach
                reach.fault = ReachabilityFault(idea)
                let change = fact.settle(&reach)
                let former = state.standing
                let isReachable = Self.isReachable(idea, fact, was: former.isReachable)
                let takesTransfers = Self.takesTransfers(fact)
                // One that comes was told by the hello that it is served.
                let heard = former.told ?? Self.own()
                let own = Self.own(serves: fact != .notServed)
                let expected = Reach.Change(
                    told: fact == .gone || own == heard ? nil : own,
                    isReachable: isReachable == former.isReachable ? nil : isReachable,
                    takesTransfers: takesTransfers == former.takesTransfers ? nil : takesTransfers)
                #expect(change == expected, "\(fact) after \(state), \(idea)")
                #expect(reach.isReachable(Self.watch) == isReachable, "\(fact) after \(state), \(idea)")
                let again = fact.settle(&reach)
                #expect(again == Reach.Change(), "\(fact) after \(state), \(idea)")
            }
        }
    }

    /// What keeps two devices apart, on either side of the link.
    @Test("The phone must serve, have the app and be unlocked, the watch have the app and be looked at, for both sides")
    func standing() {
        func state(_ change: (inout DeviceState) -> Void) -> DeviceState {
            var state = DeviceState()
            change(&state)
            return state
        }
        let none: (inout DeviceState) -> Void = { _ in }
        // The phone, the watch: whether it takes transfers, whether it can be reached.
        let cases: [((inout DeviceState) -> Void, (inout DeviceState) -> Void, Bool, Bool)] = [
            (none, none, true, true), ({ $0.serves = false }, none, false, false),
            ({ $0.isAppInstalled = false }, none, false, false), ({ $0.isLocked = true }, none, false, false),
            ({ $0.application = .terminated }, none, true, true), (none, { $0.isAppInstalled = false }, false, false),
            (none, { $0.isWristDown = true }, true, false), (none, { $0.application = .suspended }, true, false),
            (none, { $0.isLocked = true }, true, true), (none, { $0.serves = false }, true, true),
        ]
        for (index, (changePhone, changeWatch, takesTransfers, isReachable)) in cases.enumerated() {
            let (phone, watch) = (state(changePhone), state(changeWatch))
            for (role, own, peer) in [(DeviceRole.host, phone, watch), (.companion, watch, phone)] {
                var reach = Reach(role)
                reach.connected(Self.watch, peer, said: own)
                let change = reach.settle(Self.watch, Reach.Situation(own: own, isActivated: true))
                #expect((change.takesTransfers ?? false) == takesTransfers, "case \(index) of the \(role)")
                #expect((change.isReachable ?? false) == isReachable, "case \(index) of the \(role)")
            }
        }
    }
}
