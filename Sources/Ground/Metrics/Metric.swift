/// A measurement in Prometheus's text format.
protocol Metric: Sendable {
    /// The name, in snake case with the unit at the end: prometheus.io/docs/practices/naming.
    var name: String { get }
    var help: String { get }
    /// The type: “counter”, “gauge” or “histogram”.
    var type: String { get }
    func samples() -> [MetricSample]
}
