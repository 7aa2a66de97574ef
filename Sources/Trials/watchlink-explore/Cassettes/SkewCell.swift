import CassetteReplay

/// A pair of builds, or a build and a cassette, with what was found.
struct SkewCell {
    /// The phone's build, or the build that was replayed.
    let build: String
    /// The watch's build, or the cassette.
    let other: String
    /// True for a pair of builds.
    let isLive: Bool
    /// The findings in the order of time, failures first.
    let findings: [SkewFinding]
    /// The change of a newer build before the first finding that counts, which that one follows from; nil if there is none.
    let cause: SkewFinding?
    /// The virtual time at which a live pair was ended early.
    let ended: Duration?

    /// The greatest difference between the clocks of two recordings, which begin when their programs do. 10 ms: a delivery takes
    /// less than one.
    static let moment: Duration = .milliseconds(10)

    init(
        _ build: String, _ other: String, isLive: Bool, _ findings: [SkewFinding], own: [SkewFinding] = [],
        ended: Duration? = nil
    ) {
        (self.build, self.other, self.isLive, self.ended) = (build, other, isLive, ended)
        self.findings = Self.inOrder(findings)
        cause = Self.cause(of: self.findings, own)
    }

    var verdict: Verdict { findings.map(\.verdict).max() ?? .same }

    private static func inOrder(_ findings: [SkewFinding]) -> [SkewFinding] {
        // Sorting is stable. What has failed explains what follows.
        findings.sorted {
            ($0.isFailure ? 0 : 1, $0.time, $1.verdict) < ($1.isFailure ? 0 : 1, $1.time, $0.verdict)
        }
    }

    /// Returns the first change of what a newer build does, else the last thing that it does in addition, up to the first
    /// finding that counts.
    private static func cause(of findings: [SkewFinding], _ own: [SkewFinding]) -> SkewFinding? {
        guard let first = findings.first(where: { $0.verdict > .equivalent }) else { return nil }
        let before = inOrder(own).filter { $0.time <= first.time + moment }
        return before.first { $0.verdict > .equivalent } ?? before.last
    }
}
