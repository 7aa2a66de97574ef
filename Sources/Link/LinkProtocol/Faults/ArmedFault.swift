/// An active fault with its counters.
struct ArmedFault<Fault: Sendable>: Sendable {
    let fault: Fault
    private let selection: FaultSelection
    private var seen = 0
    private var met = 0

    init(_ fault: Fault, _ selection: FaultSelection) {
        self.fault = fault
        self.selection = selection
    }

    /// Counts a match and decides whether the fault applies.
    ///
    /// - Parameters:
    ///   - isFree: True if no other fault has been applied to the match.
    ///   - subject: The effect in words.
    /// - Returns: True if the fault applies.
    mutating func meets(isFree: Bool, by chance: inout Chance, _ subject: @autoclosure () -> String) -> Bool {
        seen += 1
        guard isFree, selection.nth.map({ $0 == seen }) ?? true, selection.limit.map({ met < $0 }) ?? true,
            selection.probability >= 1 || chance.happens(selection.probability, subject())
        else { return false }
        met += 1
        return true
    }
}
