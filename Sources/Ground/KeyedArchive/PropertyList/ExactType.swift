/// The value of an `Any` whose exact type is known: no cast goes through the runtime, which takes longer than writing most values.
enum ExactType {
    /// Returns the value of an object whose type is exactly `Value`, which must fit into three words.
    ///
    /// It then lies at the beginning of the container (docs/ABI/TypeLayout.rst in Swift's repository), and of what is passed on
    /// where the compiler opens it.
    @inline(__always)
    static func value<Value>(_ object: Any, _: Value.Type) -> Value {
        assert(MemoryLayout<Value>.size <= 3 * MemoryLayout<UInt>.size && type(of: object) == Value.self)
        return withUnsafeBytes(of: object) { $0.load(as: Value.self) }
    }
}
