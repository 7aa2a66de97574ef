import CassetteReplay

/// A pair of builds, or a build and a cassette, with what was found.
struct SkewCell {
    /// The phone's build, or the build that was replayed.
    let build: String
    /// The watch's build, or the cassette.
    let other: String
    let findings: [Judgement.Finding]

    init(_ build: String, _ other: String, _ findings: [Judgement.Finding]) {
        (self.build, self.other, self.findings) = (build, other, findings)
    }

    var verdict: Verdict { findings.map(\.verdict).max() ?? .same }
}
