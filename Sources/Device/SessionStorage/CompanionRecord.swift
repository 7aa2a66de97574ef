package import LinkProtocol

/// A watch with what the phone keeps of it.
package struct CompanionRecord: Equatable, Sendable {
    package var companion: Companion
    package var budget: ComplicationBudget

    package init(companion: Companion, budget: ComplicationBudget) {
        self.companion = companion
        self.budget = budget
    }
}
