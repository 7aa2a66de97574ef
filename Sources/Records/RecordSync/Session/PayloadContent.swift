import Foundation
import KeyedArchive

/// The content of a payload: the archive, its name, and the payload that was sent before it.
package struct PayloadContent: Equatable, Sendable {
    package let archive: Data
    /// Nil if nothing else of its device was in flight when it was sent.
    package let predecessor: UUID?
    /// The name of the application's kind; nil for the application whose payloads have none.
    package let name: String?

    package init(archive: Data, predecessor: UUID? = nil, name: String? = nil) {
        self.archive = archive
        self.predecessor = predecessor
        self.name = name
    }

    /// - Parameter payload: The keyed archive of the payload's dictionary.
    /// - Throws: ``PayloadError/undecodable(_:)`` if the bytes are not an archived dictionary with an archive in it.
    package init(payload: Data) throws(PayloadError) {
        if let content = PayloadTemplates.shared.content(of: payload) {
            self = content
            return
        }
        do {
            let values = try PropertyListValue(archive: payload)
            guard case .data(let archive) = values[Payload.dataKey] else {
                throw PayloadError.undecodable("the payload has no data under “\(Payload.dataKey)”")
            }
            self.archive = archive
            switch values[Payload.predecessorKey] {
            case nil: predecessor = nil
            case .data(let bytes): predecessor = try Self.identifier(bytes)
            default: throw Self.unreadablePredecessor
            }
            switch values[Payload.nameKey] {
            case nil: name = nil
            case .string(let text): name = text
            default: throw Self.unreadableName
            }
            try PayloadTemplates.shared.sighted(self)
        } catch let error as PayloadError {
            throw error
        } catch {
            throw .undecodable("\(error)")
        }
    }

    /// Returns the content of a message, or the reason why it has none.
    static func of(_ message: MessagePackage) -> Result<PayloadContent, PayloadError> {
        Result { () throws(PayloadError) in
            guard let payload = message.dataPackage else { throw .undecodable("the message is empty") }
            return try PayloadContent(payload: payload)
        }
    }

    /// - Parameter dictionary: The payload as it was sent, unarchived.
    /// - Throws: ``PayloadError/undecodable(_:)`` if the dictionary has no archive.
    package init(_ dictionary: [String: Any]) throws(PayloadError) {
        guard let value = dictionary[Payload.dataKey] else {
            throw .undecodable("the payload has no “\(Payload.dataKey)”")
        }
        guard let data = value as? Data else { throw .undecodable("the payload's “\(Payload.dataKey)” is not data") }
        archive = data
        switch dictionary[Payload.predecessorKey] {
        case nil: predecessor = nil
        case let bytes as Data: predecessor = try Self.identifier(bytes)
        default: throw Self.unreadablePredecessor
        }
        switch dictionary[Payload.nameKey] {
        case nil: name = nil
        case let text as String: name = text
        default: throw Self.unreadableName
        }
    }

    /// Creates the content from a template's values: an archive, and possibly an identifier's bytes.
    init(_ values: [Data], name: String?) {
        archive = values[0]
        predecessor = values.count > 1 ? UUID(bytes: values[1]) : nil
        self.name = name
    }

    /// The values for a template: the archive, and the predecessor's bytes if present.
    var values: [Data] { [archive] + (predecessor.map { [$0.data] } ?? []) }

    private static func identifier(_ bytes: Data) throws(PayloadError) -> UUID {
        guard let identifier = UUID(bytes: bytes) else { throw unreadablePredecessor }
        return identifier
    }

    private static let unreadablePredecessor = PayloadError.undecodable(
        "the payload's “\(Payload.predecessorKey)” does not have the 16 bytes of an identifier")
    private static let unreadableName = PayloadError.undecodable("the payload's “\(Payload.nameKey)” is not a string")
}
