public import Foundation
import KeyedArchive

/// Makes what is sent from objects. Adopt it to get its methods.
public protocol DataProvider {}

extension DataProvider {
    /// An object's keyed archive.
    public func archivedData(of object: some NSObject & NSSecureCoding) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// The payload around an archive, itself archived: what goes into a message.
    ///
    /// - Parameter predecessor: The quiz that was sent before this one and is under way still. The host does not take this one
    ///   before it has settled that one.
    public func payload(around archive: Data, after predecessor: UUID? = nil) throws -> Data {
        try PayloadTemplates.shared.payload(around: archive, after: predecessor)
    }

    /// An object's payload, ready to be sent.
    public func payload(of object: some NSObject & NSSecureCoding) throws -> Data {
        try payload(around: archivedData(of: object))
    }
}
