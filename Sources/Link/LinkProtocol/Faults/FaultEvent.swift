/// A random event as the words of a fault rule that reproduces it with certainty.
package struct FaultEvent {
    /// The words, as ``FaultRule/init(words:)`` or ``AppFault/init(words:)`` parses them.
    package let words: [String]

    /// Creates the rule for a decision.
    ///
    /// - Parameters:
    ///   - subject: The subject of the decision.
    ///   - number: The ordinal of the event among its kind, from 1.
    ///   - span: The delay of a package, or the time for which a lost link is down.
    /// - Returns: Nil for events without a rule, such as slight delays.
    package init?(_ subject: String, number: Int, span: Duration) {
        let selection = FaultSelection(nth: number)
        let effects: [FaultRule.Effect] = [.drop, .duplicate, .hold, .delay(span), .lose(span)]
        let rules = FaultRule.Direction.allCases.flatMap { direction in
            FaultTarget.allCases.flatMap { target in
                effects.map { FaultRule($0, target, direction, selection) }
            }
        }
        if let rule = rules.first(where: { $0.event($0.target) == subject }) {
            words = rule.words
            return
        }
        let given = AppFault.Content.allCases.map { ($0, AppFault(.duplicate($0), selection)) }
        guard let fault = given.first(where: { $1.event(.given($0)) == subject })?.1 else { return nil }
        words = fault.words
    }

    /// Returns the duration of an event if the subject of another decision states it.
    ///
    /// - Parameters:
    ///   - subject: The subject of the other decision.
    ///   - event: The subject of this event's decision.
    ///   - part: The decided fraction of the longest duration.
    package static func span(_ subject: String, of event: String, part: Double) -> Duration? {
        let beginning = event + FaultRule.longest
        guard subject.hasPrefix(beginning), let seconds = Double(subject.dropFirst(beginning.count).dropLast(2)) else {
            return nil
        }
        return .milliseconds(Int64((seconds * part * 1_000).rounded()))
    }
}
