package import DeviceEngine
package import Dispatch
import EventLog
package import Files
import Foundation
import LinkProtocol
package import SessionStorage
package import Storage

/// A device's directory, database and ledger, which one process has at a time.
package final class DeviceHome: Sendable {
    /// Another process has the directory.
    struct InUse: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "\(path) is used by another process: stop it first, or give this device a state directory of its own"
        }
    }

    package let directory: DeviceDirectory
    package let store: SessionStore
    package let ledger: LedgerBook
    package let companions: [CompanionRecord]
    /// Nil if the system has no more inotify instances to give.
    package let fileWatch: FileWatch?
    /// Where the store is used.
    package let queue: DispatchQueue
    private let lock: FileLock

    /// Opens the directory. On `queue`.
    package init(_ settings: ShellSettings, queue: DispatchQueue) throws {
        let directory = DeviceDirectory(settings.stateDirectory)
        try directory.create()
        guard let lock = try FileLock.claim(directory.lock) else { throw InUse(path: directory.path) }
        self.directory = directory
        self.lock = lock
        self.queue = queue
        let logger = settings.logger
        fileWatch = Self.fileWatch(logger)
        store = SessionStore(path: directory.database, logger: logger)
        companions = try store.companions()
        ledger = LedgerBook(store: store, capacity: settings.ledgerCapacity, queue: queue, logger: logger)
        try removeWatchDirectories()
        try store.endMessages("its process ended before it had an answer", at: Date())
    }

    private static func fileWatch(_ logger: Logger) -> FileWatch? {
        do throws(SystemError) {
            return try FileWatch()
        } catch {
            logger.log(
                .fileSystemFailed, [.error(error), .reason("nothing is told of how the app uses received files")])
            return nil
        }
    }

    /// Forgets a transfer of an earlier run, with a note of the reason.
    package func forget(_ transfer: OutgoingTransfer, cause: String) throws(DatabaseError) {
        let note = LedgerNote(
            transfer.identifier, .outgoing, transfer.kind, device: transfer.peer.known, .failed, at: Date(),
            cause: cause)
        try forget([transfer.identifier], [note])
    }

    /// Forgets transfers, and notes this with it.
    func forget(_ transfers: [UUID], _ notes: [LedgerNote]) throws(DatabaseError) {
        try ledger.committing { batch throws(DatabaseError) in
            try store.forget(transfers) { batch(notes) }
        }
    }

    /// Lets another session have the directory.
    func release() { lock.release() }

    /// Writes down what waits to be written with others, and lets another session have the directory. On the store's queue.
    func close() {
        ledger.flush()
        store.close()
        release()
    }

    /// The directories of watches that are no longer paired, or lack the app, go at the next start, as on Apple's phones.
    private func removeWatchDirectories() throws {
        let kept = companions.map(\.companion).filter { $0.isPaired && $0.isAppInstalled }.map(\.identifier.uuidString)
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.watches) where !kept.contains(name) {
            try FileManager.default.removeItem(atPath: directory.watches + "/" + name)
        }
    }
}
