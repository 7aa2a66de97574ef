import Foundation
import KeyedArchive

/// The content of a payload: a quiz's archive, and the quiz that was sent before it.
struct QuizContent: Equatable, Sendable {
    let archive: Data
    /// Nil if nothing else of its device was in flight when it was sent.
    let predecessor: UUID?

    init(archive: Data, predecessor: UUID? = nil) {
        self.archive = archive
        self.predecessor = predecessor
    }

    /// - Parameter payload: The keyed archive of the payload's dictionary.
    /// - Throws: ``QuizError/undecodable(_:)`` if the bytes are not an archived dictionary with an archive in it.
    init(payload: Data) throws(QuizError) {
        if let content = PayloadTemplates.shared.content(of: payload) {
            self = content
            return
        }
        do {
            let values = try PropertyListValue(archive: payload)
            guard case .data(let archive) = values[Payload.dataKey] else {
                throw QuizError.undecodable("the payload has no data under “\(Payload.dataKey)”")
            }
            self.archive = archive
            switch values[Payload.predecessorKey] {
            case nil: predecessor = nil
            case .data(let bytes): predecessor = try Self.identifier(bytes)
            default: throw Self.unreadablePredecessor
            }
            try PayloadTemplates.shared.sighted(self)
        } catch let error as QuizError {
            throw error
        } catch {
            throw .undecodable("\(error)")
        }
    }

    /// - Parameter dictionary: The payload as it was sent, unarchived.
    /// - Throws: ``QuizError/undecodable(_:)`` if the dictionary has no archive.
    init(_ dictionary: [String: Any]) throws(QuizError) {
        archive = try EncodedData(dictionary).data
        switch dictionary[Payload.predecessorKey] {
        case nil: predecessor = nil
        case let bytes as Data: predecessor = try Self.identifier(bytes)
        default: throw Self.unreadablePredecessor
        }
    }

    /// Creates the content from a template's values: an archive, and possibly an identifier's bytes.
    init(_ values: [Data]) {
        archive = values[0]
        predecessor = values.count > 1 ? UUID(bytes: values[1]) : nil
    }

    /// The values for a template: the archive, and the predecessor's bytes if present.
    var values: [Data] { [archive] + (predecessor.map { [$0.data] } ?? []) }

    private static func identifier(_ bytes: Data) throws(QuizError) -> UUID {
        guard let identifier = UUID(bytes: bytes) else { throw unreadablePredecessor }
        return identifier
    }

    private static let unreadablePredecessor = QuizError.undecodable(
        "the payload's “\(Payload.predecessorKey)” does not have the 16 bytes of an identifier")
}
