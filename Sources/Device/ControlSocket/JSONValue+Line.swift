import Configuration
import Foundation

extension JSONValue {
    /// Returns the value as a line of the control socket, with its end.
    ///
    /// - Throws: `EncodingError` for a number that JSON does not have.
    func line() throws -> Data {
        var writer = JSONWriter()
        try writer.value(self)
        return Data(writer.bytes + [UInt8(ascii: "\n")])
    }
}
