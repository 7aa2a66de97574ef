import Foundation
import Testing

@testable import LinkProtocol

/// Tests of a session's activation: every event in every state.
@Suite("Session activation: every state and event")
struct SessionActivationTests {
    private static let next = UUID()

    enum State: String, CaseIterable {
        case notActivated, activated
        /// The next watch is known; it was unpaired meanwhile.
        case switching, stranded

        var activation: SessionActivation {
            switch self {
            case .notActivated: .notActivated
            case .activated: .activated
            case .switching: .inactive(next: next)
            case .stranded: .inactive(next: nil)
            }
        }
    }

    enum Event: String, CaseIterable {
        case activates, drained, nextUnpaired, otherUnpaired
    }

    private struct Outcome: Equatable {
        let next: SessionActivation
        var action: SessionActivation.ActivateAction?
        var watch: UUID?

        init(
            _ next: SessionActivation, _ action: SessionActivation.ActivateAction? = nil, to watch: UUID? = nil
        ) {
            (self.next, self.action, self.watch) = (next, action, watch)
        }
    }

    private static func outcome(_ state: State, _ event: Event) -> Outcome {
        switch (state, event) {
        case (.notActivated, .activates): Outcome(.activated, .activate)
        case (.notActivated, .drained): Outcome(.notActivated)
        case (.notActivated, .nextUnpaired), (.notActivated, .otherUnpaired): Outcome(.notActivated)
        case (.activated, .activates): Outcome(.activated, .tellAgain)
        case (.activated, .drained): Outcome(.activated)
        case (.activated, .nextUnpaired), (.activated, .otherUnpaired): Outcome(.activated)
        case (.switching, .activates): Outcome(.inactive(next: next), .nothing)
        case (.switching, .drained): Outcome(.notActivated, to: next)
        case (.switching, .nextUnpaired): Outcome(.inactive(next: nil))
        case (.switching, .otherUnpaired): Outcome(.inactive(next: next))
        case (.stranded, .activates): Outcome(.inactive(next: nil), .nothing)
        case (.stranded, .drained): Outcome(.notActivated)
        case (.stranded, .nextUnpaired), (.stranded, .otherUnpaired): Outcome(.inactive(next: nil))
        }
    }

    private static func came(_ state: State, _ event: Event) -> Outcome {
        switch event {
        case .activates:
            let (next, action) = state.activation.activating()
            return Outcome(next, action)
        case .drained:
            let (next, watch) = state.activation.drained()
            return Outcome(next, to: watch)
        case .nextUnpaired: return Outcome(state.activation.unpaired(next))
        case .otherUnpaired: return Outcome(state.activation.unpaired(UUID()))
        }
    }

    @Test("Each event in each state leads to its next state and action")
    func pairs() {
        for state in State.allCases {
            for event in Event.allCases {
                #expect(Self.came(state, event) == Self.outcome(state, event), "\(event) while \(state)")
            }
        }
    }

    @Test("The app sees the three values that it knows")
    func values() {
        let values = State.allCases.map(\.activation.value)
        #expect(values == [.notActivated, .activated, .inactive, .inactive])
    }
}
