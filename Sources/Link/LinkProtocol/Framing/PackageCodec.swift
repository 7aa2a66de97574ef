package import Foundation
import KeyedArchive

/// Packages as frames, and back: the only place where bytes of a peer become objects.
package enum PackageCodec {
    /// A whole frame: length and archive.
    ///
    /// - Throws: ``ProtocolError`` if the package is larger than a peer would take.
    package static func frame(_ package: MessagePackage) throws(ProtocolError) -> Data {
        let archive: Data
        do {
            archive = try KeyedArchiver.archivedData(withRootObject: package, requiringSecureCoding: true)
        } catch {
            throw ProtocolError(.unreadablePackage, "\(error)")
        }
        guard archive.count <= LinkLimits.frameBytes else {
            throw ProtocolError(.frameTooLong, "\(archive.count) bytes; the limit is \(LinkLimits.frameBytes)")
        }
        var frame = Data(capacity: FrameHeader.bytes + archive.count)
        withUnsafeBytes(of: UInt32(archive.count).bigEndian) { frame.append(contentsOf: $0) }
        frame.append(archive)
        return frame
    }

    /// The package in a frame's body.
    package static func package(_ body: UnsafeRawBufferPointer) throws(ProtocolError) -> MessagePackage {
        do {
            guard let package = try KeyedUnarchiver.unarchivedObject(ofClass: MessagePackage.self, from: Data(body))
            else {
                throw ProtocolError(.unreadablePackage, "the archive holds nothing")
            }
            return package
        } catch let error as ProtocolError {
            throw error
        } catch {
            throw ProtocolError(.unreadablePackage, "\(error)")
        }
    }
}
