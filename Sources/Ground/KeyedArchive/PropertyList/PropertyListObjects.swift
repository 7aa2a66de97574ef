package import Foundation

/// Property lists of Swift's and Foundation's objects, written and read without a tree between them and the bytes.
package enum PropertyListObjects {
    /// Returns a property-list object as a binary property list, with the bytes and the errors of
    /// ``PropertyListValue/init(object:limits:)`` and ``PropertyListValue/binaryData(limits:)``.
    package static func data(of object: Any, limits: ArchiveLimits = .standard) throws(ArchiveError) -> Data {
        do throws(ArchiveError) {
            return try ObjectListWriter.data(of: object, limits: limits)
        } catch {
            // The tree has the last word on what the writer refuses: of several errors it always names the same one.
            return try PropertyListValue(object: object, limits: limits).binaryData(limits: limits)
        }
    }

    /// Reads a binary property list as an app on Apple's platforms receives it, with every number and Boolean value as
    /// an `NSNumber`: an integer that was sent may be read as a `Double`.
    ///
    /// - Throws: ``ArchiveError`` with the offset of the failure.
    package static func object(from data: Data, limits: ArchiveLimits = .standard) throws(ArchiveError) -> Any {
        try PropertyListReader<ObjectForm>.value(from: data, limits: limits)
    }
}
