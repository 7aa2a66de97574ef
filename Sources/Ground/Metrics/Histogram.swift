import Locking

/// The number of observations below each of several bounds: Prometheus's histogram, one for each value of its label.
public final class Histogram: Sendable, Metric {
    /// Bounds for latencies in seconds: three per decade, from a message within one machine to the longest time-out.
    public static let latencies: [Double] = [
        0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60,
    ]
    /// Bounds for batch sizes.
    public static let sizes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096]
    /// The maximum of label values. 32: every label here has a short list of values.
    private static let maximumSeries = 32

    /// The histogram of one label value, for frequent use.
    public final class Cell: Sendable {
        private struct Counts: Sendable {
            var counts: [Int]
            var sum = 0.0
        }

        private let bounds: [Double]
        private let counts: Mutex<Counts>

        fileprivate init(_ bounds: [Double]) {
            self.bounds = bounds
            counts = Mutex(Counts(counts: Array(repeating: 0, count: bounds.count + 1)))
        }

        /// Records an observation.
        public func observe(_ value: Double) {
            let place = bounds.firstIndex { value <= $0 } ?? bounds.count
            counts.withLock { counts in
                counts.counts[place] += 1
                counts.sum += value
            }
        }

        fileprivate var present: (counts: [Int], sum: Double) { counts.withLock { ($0.counts, $0.sum) } }
    }

    let name: String
    let help: String
    private let bounds: [Double]
    private let label: String?
    private let cells = Mutex<[String: Cell]>([:])

    init(_ name: String, help: String, bounds: [Double], label: String?) {
        self.name = name
        self.help = help
        self.bounds = bounds
        self.label = label
    }

    /// Records an observation for a label value.
    public func observe(_ value: Double, _ labelValue: String = "") { cell(labelValue).observe(value) }

    /// Returns the cell of a label value.
    public func cell(_ labelValue: String = "") -> Cell {
        cells.withLock { cells in
            if let cell = cells[labelValue] { return cell }
            let cell = Cell(bounds)
            // Observations beyond the limit are not reported.
            if cells.count < Self.maximumSeries { cells[labelValue] = cell }
            return cell
        }
    }

    var type: String { "histogram" }

    func samples() -> [MetricSample] {
        cells.withLock { $0 }.sorted { $0.key < $1.key }.flatMap { value, cell -> [MetricSample] in
            let (counts, sum) = cell.present
            let all = counts.reduce(0, +)
            // Some cells are created in advance and have not counted anything.
            guard all > 0 else { return [] }
            let labels = label.map { [($0, value)] } ?? []
            var below = 0
            var samples = zip(bounds, counts).map { bound, count in
                below += count
                return MetricSample(name + "_bucket", labels + [("le", MetricSample.number(bound))], Double(below))
            }
            samples.append(MetricSample(name + "_bucket", labels + [("le", "+Inf")], Double(all)))
            samples.append(MetricSample(name + "_sum", labels, sum))
            samples.append(MetricSample(name + "_count", labels, Double(all)))
            return samples
        }
    }
}
