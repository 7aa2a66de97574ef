/// The type and the value of an `Any`, read where they lie: three words for the value, or for a reference to a larger one, and
/// then the type (docs/ABI/TypeLayout.rst in Swift's repository). A cast finds the same through the runtime, which takes longer
/// than writing most values.
enum ExistentialLayout {
    private static let valueSize = 3 * MemoryLayout<UInt>.size

    /// Returns the type; for an object of a class, that under which it was stored.
    @inline(__always)
    static func type(of object: Any) -> Any.Type {
        withUnsafeBytes(of: object) { $0.load(fromByteOffset: valueSize, as: Any.Type.self) }
    }

    /// Returns the value of an object whose type is exactly `Value`, which must fit into three words.
    @inline(__always)
    static func value<Value>(of object: Any, _: Value.Type) -> Value {
        assert(MemoryLayout<Value>.size <= valueSize && type(of: object) == Value.self)
        return withUnsafeBytes(of: object) { $0.load(as: Value.self) }
    }
}
