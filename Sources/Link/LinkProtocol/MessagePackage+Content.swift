package import Foundation
package import KeyedArchive

extension MessagePackage {
    /// Creates a package of the link itself, with a dictionary as a binary property list.
    package convenience init(
        _ command: Command, content: [String: PropertyListValue], identifier: UUID, timestamp: Date
    ) throws(ArchiveError) {
        self.init(
            identifier: identifier, command: command, status: .sent,
            dataPackage: try PropertyListValue.dictionary(content).binaryData(), timestamp: timestamp)
    }

    /// Returns the property list of such a package.
    ///
    /// - Throws: ``ProtocolError`` with the given code if the payload is not a property list.
    package func content(_ code: ProtocolError.Code) throws(ProtocolError) -> PropertyListValue {
        guard let dataPackage else { throw ProtocolError(code, "no content") }
        do {
            return try PropertyListValue(binary: dataPackage)
        } catch {
            throw ProtocolError(code, "\(error)")
        }
    }
}
