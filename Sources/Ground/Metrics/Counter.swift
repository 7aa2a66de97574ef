import Locking
import Synchronization

/// A number that only grows, or one for each combination of labels: Prometheus's counter.
public final class Counter: Sendable, Metric {
    /// One combination of labels, for those that count often: adding to it is one instruction.
    // Proof of `@unchecked Sendable`: it points to an atomic, which is never freed: counters stay as long as the process.
    public struct Cell: @unchecked Sendable {
        private let value: UnsafeMutablePointer<Atomic<Int>>

        fileprivate init() {
            value = .allocate(capacity: 1)
            value.initialize(to: Atomic(0))
        }

        public func add(_ amount: Int = 1) { value.pointee.add(amount, ordering: .relaxed) }
        var total: Int { value.pointee.load(ordering: .relaxed) }
    }

    /// Combinations of labels of one counter. 256: every label here has a short list of values; what comes beyond, from a
    /// peer's words for instance, is counted together.
    private static let maximumSeries = 256
    private static let beyond = "other"

    let name: String
    let help: String
    private let labels: [String]
    private let cells = Mutex<[[String]: Cell]>([:])

    init(_ name: String, help: String, labels: [String]) {
        self.name = name
        self.help = help
        self.labels = labels
    }

    /// - Parameter values: One for each label, in their order.
    public func add(_ amount: Int = 1, _ values: String...) { cell(values).add(amount) }

    /// What counts one combination.
    public func cell(_ values: String...) -> Cell { cell(values) }

    private func cell(_ values: [String]) -> Cell {
        cells.withLock { cells in
            if let cell = cells[values] { return cell }
            let key = cells.count < Self.maximumSeries ? values : values.map { _ in Self.beyond }
            let cell = cells[key] ?? Cell()
            cells[key] = cell
            return cell
        }
    }

    var type: String { "counter" }

    func samples() -> [MetricSample] {
        let found = cells.withLock { $0 }
        // One without labels exists from the start: that nothing happened is worth knowing.
        if found.isEmpty, labels.isEmpty { return [MetricSample(name, [], 0)] }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, cell in
            // Some are made beforehand, and count nothing yet.
            cell.total == 0 && !labels.isEmpty ? nil : MetricSample(name, Array(zip(labels, key)), Double(cell.total))
        }
    }
}
