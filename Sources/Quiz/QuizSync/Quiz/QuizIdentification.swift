import Foundation

/// Gives each document of one file an identifier: its own, or one that is made of what it says.
///
/// The same file makes the same identifiers each time, so it may be submitted again without harm. Documents that say the same are
/// told apart by their place among each other in their file.
public struct QuizIdentification {
    private var places: [Data: UInt64] = [:]

    public init() {}

    /// - Throws: ``QuizError`` for a quiz that has no archive. One whose time cannot be read stays without an identifier: it will be
    ///   rejected with the reason.
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
    /// Of all that a quiz says but its identifier.
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
    /// An identifier that begins with a time in milliseconds, so that a database keeps new quizzes side by side, and goes on with
    /// a digest's bytes (version 8 of RFC 9562).
    fileprivate init(time: Date, digest: Data) {
        var bytes = digest.prefix(MemoryLayout<uuid_t>.size)
        // Times from before 1970 or behind the year 9999 are refused later; here they only must not overflow.
        let milliseconds = UInt64(min(max(0, time.timeIntervalSince1970 * 1_000), 0x1p47))
        bytes.replaceSubrange(0..<6, with: withUnsafeBytes(of: milliseconds.bigEndian) { $0.suffix(6) })
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
