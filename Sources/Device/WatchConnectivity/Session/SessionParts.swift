import EventLog
import Files
import Foundation
import LinkProtocol
import SessionStorage

/// What a session works with from its first activation on: its directory, database, and the parts that move transfers.
final class SessionParts: Sendable {
    /// Another process has the directory.
    struct InUse: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "\(path) is used by another process: stop it first, or give this device a state directory of its own"
        }
    }

    let directory: DeviceDirectory
    let store: SessionStore
    let ledger: LedgerBook
    let transfers: TransferCenter
    let inbox: Inbox
    let sender: FileSender
    let receiver: FileReceiver
    let companions: [CompanionRecord]
    /// Nil if the system has no more inotify instances to give.
    let fileWatch: FileWatch?
    private let files = DispatchQueue(label: "watchlink.session.files")
    private let lock: FileLock

    /// Opens the directory and takes up what earlier runs left. On `queue`, where the store is used.
    init(_ configuration: DeviceConfiguration, queue: DispatchQueue, core: SessionCore) throws {
        let directory = DeviceDirectory(configuration.stateDirectory)
        try directory.create()
        guard let lock = try FileLock.claim(directory.lock) else { throw InUse(path: directory.path) }
        self.directory = directory
        self.lock = lock
        let logger = configuration.logger
        fileWatch = Self.fileWatch(logger)
        store = SessionStore(path: directory.database, logger: logger)
        companions = try store.companions()
        ledger = LedgerBook(store: store, capacity: configuration.ledgerCapacity, queue: queue, logger: logger)
        let send: PackageSender = {
            [weak core] package, device, epoch, onFailure in
            guard let driver = core?.driver else { return onFailure(WCError(.notReachable)) }
            driver.post(package, to: device, in: epoch, onFailure: onFailure)
        }
        transfers = TransferCenter(
            store: store, queue: queue, ledger: ledger, configuration: configuration, send: send,
            tellEnd: { [weak core] object, error, done in core?.tellEnd(of: object, error, done) },
            onChange: { [weak core] in core?.renewed($0) })
        inbox = Inbox(
            store: store, queue: queue, ledger: ledger, logger: logger, objects: transfers.objects,
            deliver: { [weak core] transfer, done in core?.deliver(transfer, done) },
            isAppReady: { [weak core] in core?.canDeliver == true },
            earlyTaskSpan: { [weak core] in core?.earlyTaskSpan() },
            onPending: { [weak core] in core?.pendingChanged($0) },
            onDelivered: { [weak core] in core?.drainIfDone() },
            onArrival: { [weak core] in core?.driver?.arrived(.transfer) })
        sender = FileSender(
            queue: files, logger: logger, send: send,
            onProgress: { [weak core] in core?.fileProgressed($0, to: $1) },
            onEnd: { [weak transfers] in transfers?.ended($0) })
        receiver = FileReceiver(
            queue: files, directory: directory, store: store, inbox: inbox, logger: logger,
            reply: { package, device in send(package, device, nil) { _ in } })
        try transfers.load(sender)
        receiver.clean(keeping: try inbox.load())
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

    /// Calls back when all pieces of files that came are written: whoever has the directory next must find them at rest.
    func afterFiles(_ completion: @escaping @Sendable () -> Void) { files.async(execute: completion) }

    /// Lets another session have the directory.
    func release() { lock.release() }

    /// Writes down what waits to be written with others, and lets another session have the directory. On the store's queue.
    func close() {
        inbox.finish()
        transfers.finish()
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
