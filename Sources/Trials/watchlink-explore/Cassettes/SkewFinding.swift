import CassetteReplay
import Foundation
import VirtualTime

/// A finding of a pair, with where it was found.
struct SkewFinding {
    let finding: Judgement.Finding
    /// The app and the time if it is known, or the event of the cassette.
    let place: String
    /// The virtual time in a live pair; the last one if it is not known. Zero for cassettes, whose findings are in order.
    let time: Duration

    var deviation: Deviation { finding.deviation }
    var verdict: Verdict { finding.verdict }
    /// True for a program that has failed.
    var isFailure: Bool { if case .ending = deviation.kind { true } else { false } }
    /// The finding in words, with its place.
    var text: String { "\(place): \(deviation.text)" }

    /// Creates a finding of a live pair.
    init(_ deviation: Deviation, side: String, at time: Duration?) {
        finding = Judgement.Finding(deviation)
        place = [side, time?.secondsText].compactMap(\.self).joined(separator: ", ")
        self.time = time ?? Script.longest
    }

    /// Creates a finding of a replay.
    init(_ finding: Judgement.Finding) {
        self.finding = finding
        place = finding.deviation.place
        time = .zero
    }
}

extension Duration {
    /// The time in words, to the millisecond.
    var secondsText: String { String(format: "%.3f s", self / .seconds(1)) }
}
