package import Foundation

/// What happened between the two sides, put together from logs and ledgers.
package struct Timeline: Sendable {
    package var packages: [TimelinePackage]
    package var bands: [TimelineBand]
    package var marks: [TimelineMark]

    /// How many packages have each status.
    package var counts: [TimelinePackage.Status: Int] {
        packages.reduce(into: [:]) { $0[$1.status, default: 0] += 1 }
    }

    package var span: ClosedRange<Date>? {
        let times =
            packages.compactMap(\.span).flatMap { [$0.lowerBound, $0.upperBound] } + marks.map(\.time)
            + bands.flatMap { [$0.start] + ($0.end.map { [$0] } ?? []) }
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }
}
