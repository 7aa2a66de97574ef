import Foundation
import RecordStorage

/// Gives each document of a file an identifier: its own, or one derived from its content.
///
/// The same file yields the same identifiers each time, so that it can be submitted again without harm. Documents with
/// equal content are distinguished by their order in the file.
public struct QuizIdentification {
    private var places: [Data: UInt64] = [:]

    /// Starts a new file.
    public init() {}

    /// Returns a document with an identifier. A document whose time is invalid is returned without one: it will be
    /// rejected with the reason.
    ///
    /// - Throws: ``QuizError`` for a quiz that cannot be archived.
    public mutating func identified(_ document: QuizDocument) throws(QuizError) -> QuizDocument {
        guard document.identifier == nil, let takenAt = QuizDocument.date(document.takenAt) else { return document }
        let digest = try document.contentDigest(takenAt)
        let place = places[digest, default: 0]
        places[digest] = place + 1
        let name = digest + withUnsafeBytes(of: place.bigEndian) { Data($0) }
        return document.with(identifier: UUID(time: takenAt, digest: ContentDigest.of(name)))
    }
}

extension QuizDocument {
    /// Returns the digest of the content without the identifier.
    fileprivate func contentDigest(_ takenAt: Date) throws(QuizError) -> Data {
        let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        do {
            return ContentDigest.of(try quiz(nobody, takenAt).archivedData())
        } catch {
            throw .undecodable("\(error)")
        }
    }
}

extension UUID {
    /// Creates an identifier that begins with a time in milliseconds, so that a database keeps new quizzes close
    /// together, followed by bytes of a digest (version 8 of RFC 9562).
    fileprivate init(time: Date, digest: Data) {
        var bytes = digest.prefix(MemoryLayout<uuid_t>.size)
        // Times before 1970 or after the year 9999 are rejected later; here they must only not overflow.
        let milliseconds = UInt64(min(max(0, time.timeIntervalSince1970 * 1_000), 0x1p47))
        bytes.replaceSubrange(0..<6, with: withUnsafeBytes(of: milliseconds.bigEndian) { $0.suffix(6) })
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
