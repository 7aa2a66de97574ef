/// What chance brought about, by the words in which it was asked for: the same for certain, as a rule.
package struct FaultEvent {
    /// As ``FaultRule/init(words:)`` or ``AppFault/init(words:)`` read them.
    package let words: [String]

    /// - Parameters:
    ///   - subject: What a decision was about.
    ///   - number: The how many-th of its kind it was, from 1.
    ///   - span: How long what is delayed waits, or a link that is lost is gone.
    /// - Returns: Nil for what is no fault of a rule: that something is a little late, for example.
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

    /// How long it took, if the subject of another decision says so of this one.
    ///
    /// - Parameters:
    ///   - subject: What the other decision was about.
    ///   - event: What this one was about.
    ///   - part: The part of the longest span that was decided.
    package static func span(_ subject: String, of event: String, part: Double) -> Duration? {
        let beginning = event + FaultRule.longest
        guard subject.hasPrefix(beginning), let seconds = Double(subject.dropFirst(beginning.count).dropLast(2)) else {
            return nil
        }
        return .milliseconds(Int64((seconds * part * 1_000).rounded()))
    }
}
