import Locking
import Synchronization

/// A number that only increases, or one for each combination of labels: Prometheus's counter.
public final class Counter: Sendable, Metric {
    /// The count of one combination of labels, for frequent use: adding to it is one instruction.
    // Proof of `@unchecked Sendable`: it points to an atomic that is never freed, as counters live as long as the
    // process.
    public struct Cell: @unchecked Sendable {
        private let value: UnsafeMutablePointer<Atomic<Int>>

        fileprivate init() {
            value = .allocate(capacity: 1)
            value.initialize(to: Atomic(0))
        }

        /// Adds an amount.
        public func add(_ amount: Int = 1) { value.pointee.add(amount, ordering: .relaxed) }
        var total: Int { value.pointee.load(ordering: .relaxed) }
    }

    /// The maximum of label combinations per counter. 256: every label here has a short list of values; further
    /// combinations, from a peer's texts for instance, are counted together.
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

    /// Adds an amount to one combination of labels.
    ///
    /// - Parameter values: The values of the labels, in their order.
    public func add(_ amount: Int = 1, _ values: String...) { cell(values).add(amount) }

    /// Returns the cell of one combination of labels.
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
        // A counter without labels is reported from the start: zero is information, too.
        if found.isEmpty, labels.isEmpty { return [MetricSample(name, [], 0)] }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, cell in
            // Some cells are created in advance and have not counted anything.
            cell.total == 0 && !labels.isEmpty ? nil : MetricSample(name, Array(zip(labels, key)), Double(cell.total))
        }
    }
}
