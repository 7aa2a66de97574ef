import Configuration

/// The values that one request carries, and whether another one still fits.
struct RequestBatch {
    /// The most values in one request: together far below the longest request.
    static let values = 64
    /// The most keys and values in one request. 125,000: half of those that a request may have.
    static let parts = 125_000

    private(set) var values: [JSONValue] = []
    private var parts = 0

    var isEmpty: Bool { values.isEmpty }

    /// Returns true if the request has room for a value. An empty one has room for any.
    func fits(_ value: JSONValue) -> Bool {
        isEmpty || (values.count < Self.values && parts + Self.parts(of: value) <= Self.parts)
    }

    mutating func append(_ value: JSONValue) {
        values.append(value)
        parts += Self.parts(of: value)
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        parts = 0
    }

    private static func parts(of value: JSONValue) -> Int {
        switch value {
        case .array(let values): values.reduce(1) { $0 + parts(of: $1) }
        case .object(let fields): fields.values.reduce(1) { $0 + 1 + parts(of: $1) }
        default: 1
        }
    }
}
