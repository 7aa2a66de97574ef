import Foundation
import Testing

@testable import LinkProtocol

/// Tests of the phone's view of a watch: every fact after every state, with every wrong assumption.
@Suite("Reachability: every state, fault and event")
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

    /// A current fact about the watch.
    enum Fact: String, CaseIterable {
        case foreground
        /// It accepts transfers but no messages.
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

    /// The previous state.
    enum State: String, CaseIterable {
        case never, reachable, background, notServed
        /// It is gone, but believed to be still reachable.
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

        /// The reachability, the acceptance of transfers, and the last notification.
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

    @Test("Each fact, in each previous state, leads to the right change, reported once", arguments: Idea.allCases)
    func pairs(_ idea: ReachabilityFault.Idea) {
        for state in State.allCases {
            for fact in Fact.allCases {
                var reach = state.reach
                reach.fault = ReachabilityFault(idea)
                let change = fact.settle(&reach)
                let former = state.standing
                let isReachable = Self.isReachable(idea, fact, was: former.isReachable)
                let takesTransfers = Self.takesTransfers(fact)
                // A watch that connects learns from the hello that it is served.
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

    /// Checks the obstacles between two devices, on either side of the link.
    @Test("Both sides require that the phone serves, has the app and is unlocked, and that the watch's app is visible")
    func standing() {
        func state(_ change: (inout DeviceState) -> Void) -> DeviceState {
            var state = DeviceState()
            change(&state)
            return state
        }
        let none: (inout DeviceState) -> Void = { _ in }
        // The phone, the watch: true if it accepts transfers, true if it is reachable.
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
