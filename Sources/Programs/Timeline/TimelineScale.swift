import Foundation

/// The mapping of times to vertical positions in the picture.
///
/// Readers look at the order of events. So that neither a burst nor a quiet night spoils the picture, successive
/// moments have a minimum distance and a maximum distance, which is marked as a gap.
struct TimelineScale {
    /// The least pixels between two moments, so that two arrows can be distinguished.
    private static let least = 4.0
    /// The pixels of a gap.
    private static let gap = 48.0
    /// The pixels of a second in between.
    private static let second = 240.0

    /// A shortened period without events.
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

    /// Returns the position of a moment, or of the next event if no event has this time.
    func y(_ time: Date) -> Double {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low < places.count ? places[low] : height
    }

    /// Returns the moments to label, at least `distance` pixels apart.
    func labels(every distance: Double) -> [(time: Date, y: Double)] {
        var labels: [(Date, Double)] = []
        for (time, place) in zip(times, places) where labels.last.map({ place - $0.1 >= distance }) ?? true {
            labels.append((time, place))
        }
        return labels
    }
}
