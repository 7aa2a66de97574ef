/// The trial of a build with a cassette as it is: its hidden values are made up, so a build that traps on values that it
/// does not know does so without any change.
package enum MadeUpTrial {
    /// The most key paths that are named. 5: the rest is found with the next recording.
    private static let mostNamed = 5

    /// Returns the finding for a build that failed.
    ///
    /// - Parameters:
    ///   - enumerations: Those whose values the build gets.
    ///   - course: What it did before it failed; nil if nothing was recorded.
    package static func finding(
        _ build: String, failure: String, _ enumerations: [Enumeration], _ tape: AppTape, in cassette: String,
        course: AppTape?
    ) -> LintFinding {
        let given = course.map { course in course.events.count { LintKind(given: $0, course) != nil } } ?? 0
        let events = tape.events.filter { LintKind(given: $0, tape) != nil }
        // The last one that it got; what came at the moment of a crash may be missing in its recording.
        let event = events.isEmpty ? nil : events[min(max(0, given - 1), events.count - 1)]
        let kind =
            event.flatMap { LintKind(given: $0, tape) }
            ?? LintKind(sender: AppTape.counterpart(of: tape.side), .message)
        let hidden = enumerations.filter(\.kept.isEmpty).map { "\($0.kind) \($0.path)" }
        let names = hidden.prefix(mostNamed).joined(separator: ", ") + (hidden.count > mostNamed ? " …" : "")
        return LintFinding(
            .madeUpCrash, kind, "", in: cassette, Seen(event?.sequence ?? 1),
            "\(build) \(failure) here, as the cassette hides the values that it was given"
                + (names.isEmpty ? "" : "; they may be those of \(names)"))
    }
}
