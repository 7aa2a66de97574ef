package import Foundation

/// The events between both sides, assembled from logs and ledgers.
package struct Timeline: Sendable {
    package var packages: [TimelinePackage]
    package var bands: [TimelineBand]
    package var marks: [TimelineMark]
    /// The number of earlier packages left out because there are too many to draw.
    package var omitted = 0

    /// The number of packages by status.
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

    /// The watches with a life line, in order of appearance; at least one.
    package var watches: [String] {
        let lives = bands.map { ($0.start, $0.life.watch) } + marks.map { ($0.time, $0.life.watch) }
        let ways = packages.compactMap { package in package.span.map { ($0.lowerBound, package.watch) } }
        var found: [String] = []
        for case (_, let watch?) in (lives + ways).sorted(by: { $0.0 < $1.0 }) where !found.contains(watch) {
            found.append(watch)
        }
        return found.isEmpty ? [""] : found
    }
}
