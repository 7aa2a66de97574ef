/// The result of a comparison, the mildest first.
package enum Verdict: String, Comparable, CaseIterable, Sendable {
    case same
    /// A counterpart of the recorded build gets on with it: more keys, another order of independent events.
    case equivalent
    /// A counterpart or a user can notice it.
    case changed
    /// It does not work: a crash, no answer, an archive that cannot be decoded.
    case broken

    private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (first: Verdict, second: Verdict) -> Bool { first.severity < second.severity }
}
