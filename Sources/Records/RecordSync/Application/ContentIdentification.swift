import Files
import Foundation
import RecordStorage

/// Derives identifiers from contents, for the documents of a file.
///
/// The same file yields the same identifiers each time, so that it can be submitted again without harm. Equal contents are
/// distinguished by their order in the file.
package struct ContentIdentification {
    private var places: [Data: UInt64] = [:]

    /// Starts a new file.
    package init() {}

    /// Returns the identifier of the next document with a content (version 8 of RFC 9562).
    ///
    /// - Parameters:
    ///   - content: The bytes of the content without an identifier.
    ///   - time: The time with which the identifier begins, so that a database keeps new records close together.
    package mutating func identifier(of content: Data, at time: Date? = nil) -> UUID {
        let digest = ContentDigest.of(content)
        let place = places[digest, default: 0]
        places[digest] = place + 1
        let name = digest + withUnsafeBytes(of: place.bigEndian) { Data($0) }
        var bytes = ContentDigest.of(name).prefix(MemoryLayout<uuid_t>.size)
        if let time {
            // Times before 1970 or after the year 9999 are rejected later; here they must only not overflow.
            let milliseconds = UInt64(min(max(0, time.timeIntervalSince1970 * 1_000), 0x1p47))
            bytes.replaceSubrange(0..<6, with: withUnsafeBytes(of: milliseconds.bigEndian) { Data($0.suffix(6)) })
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
