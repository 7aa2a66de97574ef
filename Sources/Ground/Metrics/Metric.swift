/// Something that is measured, as Prometheus's text format has it.
protocol Metric: Sendable {
    /// In snake case, with the unit at the end: prometheus.io/docs/practices/naming.
    var name: String { get }
    var help: String { get }
    /// “counter”, “gauge” or “histogram”.
    var type: String { get }
    func samples() -> [MetricSample]
}
