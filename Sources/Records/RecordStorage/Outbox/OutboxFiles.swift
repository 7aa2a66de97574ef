import Files
package import Foundation
import Glibc

/// The directory with the files of an outbox, each under the SHA-256 of its content.
package struct OutboxFiles: Sendable {
    private let directory: DurableDirectory

    init(path: String) { directory = DurableDirectory(path) }

    /// Returns the path of the file with a digest.
    package func path(of digest: Data) -> String { directory.path(of: digest.hexadecimal) }

    /// Makes a file durable, unless it is.
    ///
    /// - Throws: An error of the kind ``StoreError/Kind/unavailable`` if the disk or the limit of the outbox has no room.
    package func keep(_ content: Data, as digest: Data) throws(StoreError) {
        do throws(SystemError) {
            try directory.create()
        } catch {
            throw Self.error(error)
        }
        guard !isSound(digest) else { return }
        let used = try names().reduce(0) { $0 + size(of: directory.path(of: $1)) }
        guard used + content.count <= RecordFileLimits.outboxBytes else {
            throw StoreError(
                .unavailable,
                "\(directory.path) has \(used) bytes of files, and \(content.count) more exceed the limit of \(RecordFileLimits.outboxBytes); wait until some are delivered"
            )
        }
        do throws(SystemError) {
            try directory.write(content, to: digest.hexadecimal)
        } catch {
            throw Self.error(error)
        }
    }

    /// Returns true if the file with a digest is here and has its content.
    package func isSound(_ digest: Data) -> Bool {
        guard size(of: path(of: digest)) <= RecordFileLimits.fileBytes,
            let content = FileManager.default.contents(atPath: path(of: digest))
        else { return false }
        return ContentDigest.of(content) == digest
    }

    /// Removes all files but some.
    func removeAll(except used: Set<Data>) throws(StoreError) {
        let kept = Set(used.map(\.hexadecimal))
        for name in try names() where !kept.contains(name) {
            let path = directory.path(of: name)
            // The next sweep removes what a power cut brings back.
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.error(SystemError("remove", on: path)) }
        }
    }

    private func names() throws(StoreError) -> [String] {
        do throws(SystemError) {
            return try directory.names()
        } catch {
            // Nothing was kept yet.
            if error.code == ENOENT { return [] }
            throw StoreError(.unavailable, "cannot \(error)")
        }
    }

    /// Returns the size of a file; 0 if it is not there.
    private func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func error(_ error: SystemError) -> StoreError {
        StoreError(error.isTemporary ? .unavailable : .refused, "cannot \(error)")
    }
}
