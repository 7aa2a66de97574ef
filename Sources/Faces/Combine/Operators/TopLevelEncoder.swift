/// A type that makes encoded data of values.
public protocol TopLevelEncoder<Output> {
    /// The type of the data.
    associatedtype Output

    /// Returns the data that encodes the value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}
