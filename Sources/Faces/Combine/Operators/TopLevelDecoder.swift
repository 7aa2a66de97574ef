/// A type that makes values of encoded data.
public protocol TopLevelDecoder<Input> {
    /// The type of the data.
    associatedtype Input

    /// Returns the value that the data encodes.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}
