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

    /// Returns true if the device was recorded at a time.
    func has(_ side: String, at time: Date?) -> Bool { sides.contains(side) && time.map(span.contains) ?? false }
}

extension CassetteEvent {
    /// The time since the beginning of its recording.
    var seconds: TimeInterval { Double(time) / 1_000_000 }
}
