public import Foundation
import KeyedArchive

/// The encoding of objects into payloads. Adopt it to get its methods.
public protocol DataProvider {}

extension DataProvider {
    /// Returns the keyed archive of an object. Throws ``KeyedArchive/ArchiveError``.
    public func archivedData(of object: some NSObject & NSSecureCoding) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// Returns the payload of a message: the keyed archive of a dictionary that contains the given archive.
    ///
    /// - Parameter predecessor: The quiz that was sent before this one and is still in flight. The host does not accept
    ///   this one before it has settled that one.
    public func payload(around archive: Data, after predecessor: UUID? = nil) throws -> Data {
        try PayloadTemplates.shared.payload(around: archive, after: predecessor)
    }

    /// Returns the payload of an object, ready to be sent.
    public func payload(of object: some NSObject & NSSecureCoding) throws -> Data {
        try payload(around: archivedData(of: object))
    }
}
