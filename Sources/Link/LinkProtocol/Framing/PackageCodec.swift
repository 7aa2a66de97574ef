package import Foundation
import KeyedArchive

/// Converts packages to frames and back: the only place where a peer's bytes become objects.
package enum PackageCodec {
    /// Returns a whole frame: length and archive.
    ///
    /// - Throws: ``ProtocolError`` if the package is larger than a peer accepts.
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

    /// Decodes the package in a frame's body.
    package static func package(_ body: UnsafeRawBufferPointer) throws(ProtocolError) -> MessagePackage {
        do {
            guard let package = try KeyedUnarchiver.unarchivedObject(ofClass: MessagePackage.self, from: Data(body))
            else {
                throw ProtocolError(.unreadablePackage, "the archive is empty")
            }
            return package
        } catch let error as ProtocolError {
            throw error
        } catch {
            throw ProtocolError(.unreadablePackage, "\(error)")
        }
    }
}
