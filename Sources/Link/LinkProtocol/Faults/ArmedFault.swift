/// A fault that holds, with what it has met.
struct ArmedFault<Fault: Sendable>: Sendable {
    let fault: Fault
    private let selection: FaultSelection
    private var seen = 0
    private var met = 0

    init(_ fault: Fault, _ selection: FaultSelection) {
        self.fault = fault
        self.selection = selection
    }

    /// Counts one that matches.
    ///
    /// - Parameters:
    ///   - isFree: Whether no other fault has met it.
    ///   - subject: What happens if it meets it, in words.
    /// - Returns: Whether this fault meets it.
    mutating func meets(isFree: Bool, by chance: inout Chance, _ subject: @autoclosure () -> String) -> Bool {
        seen += 1
        guard isFree, selection.nth.map({ $0 == seen }) ?? true, selection.limit.map({ met < $0 }) ?? true,
            selection.probability >= 1 || chance.happens(selection.probability, subject())
        else { return false }
        met += 1
        return true
    }
}
