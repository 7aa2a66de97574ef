package import LinkProtocol

/// A watch, and the complication budget that the phone keeps for it.
package struct CompanionRecord: Equatable, Sendable {
    package var companion: Companion
    package var budget: ComplicationBudget

    package init(companion: Companion, budget: ComplicationBudget) {
        self.companion = companion
        self.budget = budget
    }
}
