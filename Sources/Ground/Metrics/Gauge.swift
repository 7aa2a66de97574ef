/// Numbers that are read on demand: queue lengths, memory, the time since the start.
final class Gauge: Sendable, Metric {
    let name: String
    let help: String
    private let read: @Sendable () -> [(labels: [(String, String)], value: Double)]

    init(_ name: String, help: String, read: @escaping @Sendable () -> [(labels: [(String, String)], value: Double)]) {
        self.name = name
        self.help = help
        self.read = read
    }

    var type: String { "gauge" }

    func samples() -> [MetricSample] { read().map { MetricSample(name, $0.labels, $0.value) } }
}
