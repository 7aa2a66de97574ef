import Locking

/// What a process measures, in Prometheus's text format (version 0.0.4).
///
/// There is one for the process, as there is one process to watch: what counts reaches it without being handed through every
/// layer. Tests make their own.
public final class MetricRegistry: Sendable {
    public static let process = MetricRegistry()

    private let metrics = Mutex<[any Metric]>([])

    public init() {}

    public func counter(_ name: String, help: String, labels: String...) -> Counter {
        let counter = Counter(name, help: help, labels: labels)
        metrics.withLock { $0.append(counter) }
        return counter
    }

    public func histogram(_ name: String, help: String, bounds: [Double], label: String? = nil) -> Histogram {
        let histogram = Histogram(name, help: help, bounds: bounds, label: label)
        metrics.withLock { $0.append(histogram) }
        return histogram
    }

    /// - Parameter read: Called when somebody asks, from any thread.
    public func gauge(
        _ name: String, help: String,
        _ read: @escaping @Sendable () -> [(labels: [(String, String)], value: Double)]
    ) {
        let gauge = Gauge(name, help: help, read: read)
        metrics.withLock { $0.append(gauge) }
    }

    /// A gauge of one number.
    public func gauge(_ name: String, help: String, value: @escaping @Sendable () -> Double) {
        gauge(name, help: help) { [([], value())] }
    }

    /// All of it, in the order of the names.
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
