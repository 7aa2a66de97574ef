import Locking

/// How many observations lie below each of some bounds: Prometheus's histogram, one for each value of its label.
public final class Histogram: Sendable, Metric {
    /// Bounds of latencies in seconds: three a decade, from a message within one machine to the longest time-out.
    public static let latencies: [Double] = [
        0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60,
    ]
    /// Bounds of how many things were done at once.
    public static let sizes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096]
    /// Values of the label. 32: every label here has a short list of values.
    private static let maximumSeries = 32

    private struct Series {
        var counts: [Int]
        var sum = 0.0
    }

    let name: String
    let help: String
    private let bounds: [Double]
    private let label: String?
    private let series = Mutex<[String: Series]>([:])

    init(_ name: String, help: String, bounds: [Double], label: String?) {
        self.name = name
        self.help = help
        self.bounds = bounds
        self.label = label
    }

    public func observe(_ value: Double, _ labelValue: String = "") {
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        series.withLock { series in
            guard series.count < Self.maximumSeries || series[labelValue] != nil else { return }
            series[labelValue, default: Series(counts: Array(repeating: 0, count: bounds.count + 1))].counts[place] += 1
            series[labelValue]?.sum += value
        }
    }

    var type: String { "histogram" }

    func samples() -> [MetricSample] {
        series.withLock { series in
            series.sorted { $0.key < $1.key }.flatMap { value, series in
                let labels = label.map { [($0, value)] } ?? []
                var below = 0
                var samples = zip(bounds, series.counts).map { bound, count in
                    below += count
                    return MetricSample(name + "_bucket", labels + [("le", MetricSample.number(bound))], Double(below))
                }
                let total = Double(series.counts.reduce(0, +))
                samples.append(MetricSample(name + "_bucket", labels + [("le", "+Inf")], total))
                samples.append(MetricSample(name + "_sum", labels, series.sum))
                samples.append(MetricSample(name + "_count", labels, total))
                return samples
            }
        }
    }
}
