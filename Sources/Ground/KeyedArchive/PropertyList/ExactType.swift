/// The value of an `Any` whose exact type is known: no cast goes through the runtime, which takes longer than writing most values.
enum ExactType {
    /// Returns the type with which an object is held, which is exact for a value; `type(of:)` would ask the runtime.
    @inline(__always)
    static func of(_ object: Any) -> Any.Type {
        func type<Value>(of _: Value) -> Any.Type { Value.self }
        return _openExistential(object, do: type)
    }

    /// Returns the value of an object whose type is exactly `Value`, which must fit into three words.
    ///
    /// It then lies at the beginning of the container (docs/ABI/TypeLayout.rst in Swift's repository), and of what is passed on
    /// where the compiler opens it.
    @inline(__always)
    static func value<Value>(_ object: Any, _: Value.Type) -> Value {
        assert(MemoryLayout<Value>.size <= 3 * MemoryLayout<UInt>.size && of(object) == Value.self)
        return withUnsafeBytes(of: object) { $0.load(as: Value.self) }
    }
}
