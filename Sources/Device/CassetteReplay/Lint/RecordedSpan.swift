package import Cassettes
import Foundation

/// The time in which a device was recorded.
package struct RecordedSpan: Sendable {
    private let sides: Set<String>
    private let span: ClosedRange<Date>

    /// Returns nil if the cassette does not tell when it began.
    package init?(_ cassette: Cassette) {
        self.init(cassette.manifest, cassette.events)
    }

    init?(_ manifest: CassetteManifest, _ events: [CassetteEvent]) {
        guard let start = Self.start(of: manifest) else { return nil }
        sides = Set(manifest.sides.map(LintKind.side))
        span = start...(start + max(0, events.last?.seconds ?? 0))
    }

    /// Returns the time at which a recording began.
    static func start(of manifest: CassetteManifest) -> Date? {
        // Its text was written by a recorder; without it, nothing is known.
        try? Date(manifest.started, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Returns true if the recording is the one that says what a device had given by an event of another recording.
    ///
    /// A message that arrives after the end of the sender's recording says nothing about the sender: the last one is received a
    /// moment after it was sent, and would be counted twice.
    ///
    /// - Parameter start: The beginning of the recording with the event; one that began after this one's end is of another run.
    func tells(of side: String, _ event: CassetteEvent, since start: Date?) -> Bool {
        guard let start, sides.contains(side) else { return false }
        return start <= span.upperBound && span.lowerBound <= start.addingTimeInterval(event.seconds)
    }
}

extension CassetteEvent {
    /// The time since the beginning of its recording.
    var seconds: TimeInterval { Double(time) / 1_000_000 }
}
