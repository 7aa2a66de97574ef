import Foundation

/// Converts a tree to Swift and Foundation values, each shared collection once: thirty arrays that each contain the
/// next one twice stay thirty arrays.
struct ObjectTreeWriter {
    /// The converted collections, by the address of their storage, which the tree keeps alive.
    private var known: [UInt: Any] = [:]

    mutating func object(of value: PropertyListValue) -> Any {
        switch value {
        case .null: return NSNull.one
        case .boolean(let value): return value
        case .integer(let value): return Int(value)
        case .unsigned(let value): return value
        case .float(let value): return value
        case .real(let value): return value
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): return data
        case .string(let string): return string
        case .uid(let uid): return Int(uid)
        case .array(let elements), .set(let elements):
            return shared(StorageIdentity.of(elements)) { writer in elements.map { writer.object(of: $0) } }
        case .dictionary(let entries):
            return shared(StorageIdentity.of(entries)) { writer in entries.mapValues { writer.object(of: $0) } }
        }
    }

    private mutating func shared(_ storage: AnyObject?, _ make: (inout ObjectTreeWriter) -> Any) -> Any {
        guard let identity = storage.map({ UInt(identity: $0) }) else { return make(&self) }
        if let object = known[identity] { return object }
        let object = make(&self)
        known[identity] = object
        return object
    }
}
