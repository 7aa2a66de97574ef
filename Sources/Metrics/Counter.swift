import Locking

/// A number that only grows, or one for each combination of labels: Prometheus's counter.
public final class Counter: Sendable, Metric {
    /// Combinations of labels of one counter. 256: every label here has a short list of values; what comes beyond, from a
    /// peer's words for instance, is counted together.
    private static let maximumSeries = 256
    private static let beyond = "other"

    let name: String
    let help: String
    private let labels: [String]
    private let series = Mutex<[[String]: Double]>([:])

    init(_ name: String, help: String, labels: [String]) {
        self.name = name
        self.help = help
        self.labels = labels
    }

    /// - Parameter values: One for each label, in their order.
    public func add(_ amount: Double = 1, _ values: String...) {
        series.withLock { series in
            let key =
                series.count < Self.maximumSeries || series[values] != nil ? values : values.map { _ in Self.beyond }
            series[key, default: 0] += amount
        }
    }

    var type: String { "counter" }

    func samples() -> [MetricSample] {
        series.withLock { series in
            // One without labels exists from the start: that nothing happened is worth knowing.
            if series.isEmpty, labels.isEmpty { return [MetricSample(name, [], 0)] }
            return series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                MetricSample(name, Array(zip(labels, $0.key)), $0.value)
            }
        }
    }
}
