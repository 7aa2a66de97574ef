package import DeviceEngine
package import Dispatch
import EventLog
package import Files
import Foundation
import LinkProtocol
package import SessionStorage
package import Storage

/// A device's directory, database and ledger. Only one process at a time uses them.
package final class DeviceHome: Sendable {
    /// The error for a directory that another process uses.
    struct InUse: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "\(path) is in use by another process: stop it first, or give this device its own state directory"
        }
    }

    package let directory: DeviceDirectory
    package let store: SessionStore
    package let ledger: LedgerRecorder
    package let companions: [CompanionRecord]
    /// Nil if the system has no inotify instances left.
    package let fileWatch: FileWatch?
    /// The queue on which the store is used.
    package let queue: DispatchQueue
    private let lock: FileLock

    /// Opens the directory. Called on `queue`.
    package init(_ settings: ShellSettings, queue: DispatchQueue) throws {
        let directory = DeviceDirectory(settings.stateDirectory)
        try directory.create()
        guard let lock = try FileLock.claimSoon(directory.lock) else { throw InUse(path: directory.path) }
        self.directory = directory
        self.lock = lock
        self.queue = queue
        let logger = settings.logger
        fileWatch = Self.fileWatch(logger)
        store = SessionStore(path: directory.database, logger: logger)
        companions = try store.companions()
        ledger = LedgerRecorder(store: store, capacity: settings.ledgerCapacity, queue: queue, logger: logger)
        try removeWatchDirectories()
        try store.endMessages("the process ended before the answer arrived", at: Date())
    }

    private static func fileWatch(_ logger: Logger) -> FileWatch? {
        do throws(SystemError) {
            return try FileWatch.ofProcess()
        } catch {
            logger.log(
                .fileSystemFailed, [.error(error), .reason("the app's use of received files will not be logged")])
            return nil
        }
    }

    /// Forgets a transfer of an earlier run, and notes the reason.
    package func forget(_ transfer: OutgoingTransfer, cause: String) throws(DatabaseError) {
        let note = LedgerNote(
            transfer.identifier, .outgoing, transfer.kind, device: transfer.peer.known, .failed, at: Date(),
            cause: cause)
        try forget([transfer.identifier], [note])
    }

    /// Forgets transfers, and writes these notes in the same commit.
    func forget(_ transfers: [UUID], _ notes: [LedgerNote]) throws(DatabaseError) {
        try ledger.committing { batch throws(DatabaseError) in
            try store.forget(transfers) { batch(notes) }
        }
    }

    /// Releases the directory for another session.
    func release() { lock.release() }

    /// Writes the buffered notes, and releases the directory for another session. Called on the store's queue.
    func close() {
        ledger.flush()
        store.close()
        release()
    }

    /// Removes the directories of watches that are no longer paired or lack the app; Apple's phones also do so at the
    /// next start.
    private func removeWatchDirectories() throws {
        let kept = companions.map(\.companion).filter { $0.isPaired && $0.isAppInstalled }.map(\.identifier.uuidString)
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.watches) where !kept.contains(name) {
            try FileManager.default.removeItem(atPath: directory.watches + "/" + name)
        }
    }
}
