package import Foundation
import KeyedArchive
import Words

/// The announcement of a file: the payload of ``Command/transferFile``.
package struct FileOffer: Equatable, Sendable {
    /// The file name without a directory.
    package let name: String
    package let size: Int64
    /// The metadata dictionary as a binary property list, if any.
    package let metadata: Data?

    package init(name: String, size: Int64, metadata: Data?) {
        self.name = name
        self.size = size
        self.metadata = metadata
    }

    private enum Key {
        static let name = "name"
        static let size = "size"
        static let metadata = "metadata"
    }

    package func data() throws -> Data {
        var entries: [String: PropertyListValue] = [Key.name: .string(name), Key.size: .integer(size)]
        entries[Key.metadata] = metadata.map { .data($0) }
        return try PropertyListValue.dictionary(entries).binaryData()
    }

    /// Decodes an announcement.
    ///
    /// - Throws: ``ProtocolError`` that names the missing or invalid key. Names that could leave the inbox are invalid.
    package init(_ package: MessagePackage) throws(ProtocolError) {
        let content = try package.content(.badFile)
        guard case .string(let name) = content[Key.name], (1...LinkLimits.fileNameBytes).contains(name.utf8.count),
            name.isWithinFileName, name != ".", name != ".."
        else { throw ProtocolError(.badFile, "“\(Key.name)” is missing or not a file name") }
        guard case .integer(let size) = content[Key.size], size >= 0 else {
            throw ProtocolError(.badFile, "“\(Key.size)” must be an integer of at least 0")
        }
        self.name = name
        self.size = size
        if let value = content[Key.metadata] {
            guard case .data(let data) = value else {
                throw ProtocolError(.badFile, "“\(Key.metadata)” is not data")
            }
            metadata = data
        } else {
            metadata = nil
        }
    }
}
