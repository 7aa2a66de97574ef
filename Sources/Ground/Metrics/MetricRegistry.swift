import Locking

/// The metrics of a process, in Prometheus's text format (version 0.0.4).
///
/// The process has one registry, so that metrics need not be passed through every layer. Tests create their own.
public final class MetricRegistry: Sendable {
    /// The registry of this process.
    public static let process = MetricRegistry()

    private let metrics = Mutex<[any Metric]>([])

    /// Creates an empty registry.
    public init() {}

    /// Registers a counter.
    public func counter(_ name: String, help: String, labels: String...) -> Counter {
        let counter = Counter(name, help: help, labels: labels)
        metrics.withLock { $0.append(counter) }
        return counter
    }

    /// Registers a histogram with upper bounds in increasing order, and at most one label.
    public func histogram(_ name: String, help: String, bounds: [Double], label: String? = nil) -> Histogram {
        let histogram = Histogram(name, help: help, bounds: bounds, label: label)
        metrics.withLock { $0.append(histogram) }
        return histogram
    }

    /// Registers a gauge.
    ///
    /// - Parameter read: Returns the values with their labels; called on demand, from any thread.
    public func gauge(
        _ name: String, help: String,
        _ read: @escaping @Sendable () -> [(labels: [(String, String)], value: Double)]
    ) {
        let gauge = Gauge(name, help: help, read: read)
        metrics.withLock { $0.append(gauge) }
    }

    /// Registers a gauge with a single value; `value` is called on demand, from any thread.
    public func gauge(_ name: String, help: String, value: @escaping @Sendable () -> Double) {
        gauge(name, help: help) { [([], value())] }
    }

    /// Returns all metrics in the text format, ordered by name.
    public func text() -> String {
        let metrics = metrics.withLock { $0 }.sorted { $0.name < $1.name }
        return metrics.map { metric in
            let samples = metric.samples()
            guard !samples.isEmpty else { return "" }
            return "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.type)\n"
                + samples.map { $0.line + "\n" }.joined()
        }.joined()
    }
}
