import Foundation

/// Where a time lies on the picture, from the top.
///
/// The order of events is what people read; so that neither a burst nor a night spoils the picture, two moments that follow
/// each other are never closer than a little and never farther apart than a gap, which is marked.
struct TimelineScale {
    /// Pixels between two moments at least: two arrows can be told apart.
    private static let least = 4.0
    /// Pixels of a gap.
    private static let gap = 48.0
    /// Pixels of a second, in between.
    private static let second = 240.0

    /// A stretch in which nothing happened, shortened.
    struct Gap {
        let y: Double
        let seconds: Double
    }

    private let times: [Date]
    private let places: [Double]
    let gaps: [Gap]

    init(_ moments: [Date]) {
        var (times, places, gaps): ([Date], [Double], [Gap]) = ([], [], [])
        var y = 0.0
        for time in moments.sorted() {
            if let last = times.last {
                let seconds = time.timeIntervalSince(last)
                guard seconds > 0 else { continue }
                let step = min(max(seconds * Self.second, Self.least), Self.gap)
                if seconds > 1 { gaps.append(Gap(y: y + step / 2, seconds: seconds)) }
                y += step
            }
            times.append(time)
            places.append(y)
        }
        self.times = times
        self.places = places
        self.gaps = gaps
    }

    var height: Double { places.last ?? 0 }

    /// The place of a moment; of one that is no event's, the place of the next event.
    func y(_ time: Date) -> Double {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low < places.count ? places[low] : height
    }

    /// Moments to write beside the picture, none closer to the one before than so many pixels.
    func labels(every distance: Double) -> [(time: Date, y: Double)] {
        var labels: [(Date, Double)] = []
        for (time, place) in zip(times, places) where labels.last.map({ place - $0.1 >= distance }) ?? true {
            labels.append((time, place))
        }
        return labels
    }
}
