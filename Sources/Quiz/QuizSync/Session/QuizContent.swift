import Foundation
import KeyedArchive

/// What a payload holds: a quiz's archive, and the quiz that went out before it.
struct QuizContent: Equatable, Sendable {
    let archive: Data
    /// Nil if nothing else of its device was under way when it went out.
    let predecessor: UUID?

    init(archive: Data, predecessor: UUID? = nil) {
        self.archive = archive
        self.predecessor = predecessor
    }

    /// - Parameter payload: The payload's own archive.
    /// - Throws: ``QuizError/undecodable(_:)`` if the bytes are no archived dictionary with an archive in it.
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
    /// - Throws: ``QuizError/undecodable(_:)`` if there is no archive in it.
    init(_ dictionary: [String: Any]) throws(QuizError) {
        archive = try EncodedData(dictionary).data
        switch dictionary[Payload.predecessorKey] {
        case nil: predecessor = nil
        case let bytes as Data: predecessor = try Self.identifier(bytes)
        default: throw Self.unreadablePredecessor
        }
    }

    /// From what a template found: an archive, and perhaps an identifier's bytes.
    init(_ values: [Data]) {
        archive = values[0]
        predecessor = values.count > 1 ? UUID(bytes: values[1]) : nil
    }

    /// The archive, and the predecessor's bytes if there is one.
    var values: [Data] { [archive] + (predecessor.map { [$0.data] } ?? []) }

    private static func identifier(_ bytes: Data) throws(QuizError) -> UUID {
        guard let identifier = UUID(bytes: bytes) else { throw unreadablePredecessor }
        return identifier
    }

    private static let unreadablePredecessor = QuizError.undecodable(
        "the payload's “\(Payload.predecessorKey)” is not an identifier's 16 bytes")
}
