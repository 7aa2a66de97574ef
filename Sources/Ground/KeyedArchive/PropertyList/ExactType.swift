/// The type and the value of an `Any`, which is opened when it is passed to a generic parameter: no cast goes through the
/// runtime, which takes longer than writing most values.
enum ExactType {
    /// Returns the type of what an `Any` contains; for an object of a class, that under which it was stored.
    @inline(__always)
    static func of<Stored>(_: Stored) -> Any.Type { Stored.self }

    /// Returns the value of an object whose type is exactly `Value`.
    @inline(__always)
    static func value<Stored, Value>(_ object: Stored, _: Value.Type) -> Value {
        assert(Stored.self == Value.self)
        return withUnsafeBytes(of: object) { $0.load(as: Value.self) }
    }
}
