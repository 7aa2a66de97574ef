public import Foundation
import KeyedArchive

/// The archives of payloads that adopt `NSSecureCoding`. Give the class a stable name in archives with
/// ``KeyedArchive/ArchiveNaming``: without one it is that of the program's module, which other programs do not know.
extension RecordPayload where Self: NSObject & NSSecureCoding {
    /// Returns the keyed archive of the object.
    public func archived() throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true)
    }

    /// Decodes an object of this class from a keyed archive.
    public static func decoded(from archive: Data) throws -> Self {
        guard let object = try KeyedUnarchiver.unarchivedObject(ofClass: Self.self, from: archive) else {
            throw PayloadError.undecodable("the archive is empty")
        }
        return object
    }

    /// Compares the objects, and if they differ their archives: an object without an `isEqual(_:)` of its own equals only
    /// itself.
    public func isSame(as other: Self) -> Bool { isEqual(other) || hasSameArchive(as: other) }
}
