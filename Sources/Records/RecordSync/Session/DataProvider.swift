public import Foundation
import KeyedArchive

/// The encoding of objects into payloads. Adopt it to get its methods.
public protocol DataProvider {}

extension DataProvider {
    /// Returns the keyed archive of an object. Throws `ArchiveError`.
    public func archivedData(of object: some NSObject & NSSecureCoding) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// Returns the payload of a message: the keyed archive of a dictionary that contains the given archive.
    ///
    /// - Parameters:
    ///   - archive: The archive of the object.
    ///   - predecessor: The payload that was sent before this one and is still in flight. The host does not accept this
    ///     one before it has settled that one.
    ///   - name: The name of the application's kind; nil for the application whose payloads have none.
    public func payload(around archive: Data, after predecessor: UUID? = nil, name: String? = nil) throws -> Data {
        try PayloadTemplates.shared.payload(around: archive, after: predecessor, name: name)
    }

    /// Returns the payload of an object, ready to be sent.
    public func payload(of object: some NSObject & NSSecureCoding) throws -> Data {
        try payload(around: archivedData(of: object))
    }
}
