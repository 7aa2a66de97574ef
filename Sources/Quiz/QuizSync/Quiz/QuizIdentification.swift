import Foundation
import RecordSync

/// Gives each document of a file an identifier: its own, or one derived from its content, so that the same file can be
/// submitted again without harm.
public struct QuizIdentification {
    private var identification = ContentIdentification()

    /// Starts a new file.
    public init() {}

    /// Returns a document with an identifier. A document whose time is invalid is returned without one: it will be
    /// rejected with the reason.
    ///
    /// - Throws: ``QuizError`` for a quiz that cannot be archived.
    public mutating func identified(_ document: QuizDocument) throws(QuizError) -> QuizDocument {
        guard document.identifier == nil, let takenAt = QuizDocument.date(document.takenAt) else { return document }
        let content = try document.content(takenAt)
        return document.with(identifier: identification.identifier(of: content, at: takenAt))
    }
}

extension QuizDocument {
    /// Returns the archive of the content without the identifier.
    fileprivate func content(_ takenAt: Date) throws(QuizError) -> Data {
        let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        do {
            return try quiz(nobody, takenAt).archivedData()
        } catch {
            throw .undecodable("\(error)")
        }
    }
}
