import CassetteReplay
import Foundation
import Timeline

/// Pictures of two courses of an app, the recorded one above the replayed one, with the first parting marked.
struct ReplayTimeline {
    private let deviations: [Deviation]
    /// The first difference that is more than equivalent.
    private let parting: Int?

    init(_ deviations: [Deviation]) {
        self.deviations = deviations
        parting = deviations.firstIndex { $0.verdict > .equivalent }
    }

    func parts(_ recorded: AppTape, _ replayed: AppTape, titles: (String, String)) -> [ComparisonPage.Part] {
        [
            ComparisonPage.Part(titles.0, timeline(recorded, \.recorded)),
            ComparisonPage.Part(titles.1, timeline(replayed, \.replayed)),
        ]
    }

    /// Returns the timeline of a course; its clock shows the time since the app's activation.
    private func timeline(_ tape: AppTape, _ sequence: KeyPath<Deviation, Int?>) -> Timeline {
        let beginning = Date(timeIntervalSince1970: -Double(tape.start) / 1_000_000)
        var timeline = CassetteTimeline([tape], start: beginning)
        for (index, deviation) in deviations.enumerated() {
            guard let event = deviation[keyPath: sequence].flatMap(tape.event) else { continue }
            timeline.mark(index == parting ? .parting : .difference, event, of: tape, deviation.text)
        }
        return timeline.timeline
    }
}
