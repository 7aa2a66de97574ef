import CrashPoints
import DeviceEngine
import Dispatch
import EventLog
import Files
import Foundation
import Glibc
import LinkProtocol
import LinkTransport
import SessionStorage

/// The device's files: performs the engine's effects on outgoing and incoming files on one queue, and reports the
/// results.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone.
final class FileTransferStore: @unchecked Sendable {
    typealias Report = DeviceStore.Report

    /// The maximum number of partial files per counterpart. 16: abandoned files must not accumulate.
    private static let partialFiles = 16
    /// The time for which a partial file is kept for its sender to resume. One week: a watch may lie in a drawer for
    /// some days.
    private static let partialLifetime: TimeInterval = 7 * 24 * 60 * 60

    private let queue = DispatchQueue(label: "watchlink.session.files")
    private let directory: DeviceDirectory
    private let store: SessionStore
    private let logger: Logger
    private let report: Report
    private var sources: [UUID: FileSource] = [:]
    private var sinks: [FileKey: FileSink] = [:]

    init(_ directory: DeviceDirectory, _ store: SessionStore, logger: Logger, report: @escaping Report) {
        self.directory = directory
        self.store = store
        self.logger = logger
        self.report = report
    }

    /// Calls back when all earlier requests are done: the next owner of the directory must find no file operation in
    /// progress.
    func afterAll(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

    // MARK: - Out

    func openSource(_ transfer: OutgoingTransfer) {
        queue.async { [self] in
            guard let stamp = transfer.file else { return }
            do {
                let expected = FileSource.Attributes(size: stamp.size, modified: stamp.modified, inode: stamp.inode)
                sources[transfer.identifier] = try FileSource(path: stamp.path, expected: expected)
                report { $0.sourceOpened(transfer.identifier, at: $1) }
            } catch {
                fail(transfer.identifier, error)
            }
        }
    }

    func readPieces(_ transfer: UUID, _ pieces: [FileSendMachine.Piece]) {
        queue.async { [self] in
            do {
                for piece in pieces {
                    guard let source = sources[transfer] else { return }
                    let (bytes, checksum) = try source.read(
                        offset: piece.offset, count: piece.count, isLast: piece.isLast)
                    let chunk = FilePackage.Chunk(
                        transfer: transfer, offset: piece.offset, bytes: bytes, checksum: checksum)
                    let package = try FilePackage.chunk(chunk, identifier: .random(), timestamp: Date())
                    report { $0.pieceRead(transfer, package, at: $1) }
                }
            } catch {
                fail(transfer, error)
            }
        }
    }

    func closeSource(_ transfer: UUID) { queue.async { self.sources[transfer] = nil } }

    private func fail(_ transfer: UUID, _ error: any Error) {
        sources[transfer] = nil
        var (isTemporary, code) = (false, SessionErrorCode.genericError)
        switch error as? FileSource.Failure {
        case .unreadable(let cause)? where cause.isTemporary: isTemporary = true
        case .unreadable, .notRegular: code = .fileAccessDenied
        case .changed: code = .deliveryFailed
        case nil: break
        }
        report { [isTemporary, code] in
            $0.sourceFailed(transfer, isTemporary: isTemporary, code, reason: "\(error)", at: $1)
        }
    }

    // MARK: - In

    func openPart(_ key: FileKey, _ offer: FileOffer, from peer: UUID) {
        queue.async { [self] in
            do {
                if try store.hasSeen(key.transfer, from: peer) { return report { $0.partKnown(key, at: $1) } }
                try dropOldestPart(of: peer)
                try meetFault()
                let sink = try FileSink(path: directory.partial(key.transfer, from: peer), expectedSize: offer.size)
                sinks[key] = sink
                let size = sink.size
                report { $0.partOpened(key, size: size, at: $1) }
            } catch {
                fail(key, error)
            }
        }
    }

    func append(_ key: FileKey, _ chunk: FilePackage.Chunk, held: Int) {
        queue.async { [self] in
            guard let sink = sinks[key] else { return missing(key, held: held) }
            do {
                try write(chunk, to: sink)
                let size = sink.size
                report { $0.appended(key, size: size, held: held, at: $1) }
            } catch {
                fail(key, error, held: held)
            }
        }
    }

    /// Moves a complete file to the inbox, so that its sender can be answered.
    func finish(_ key: FileKey, _ offer: FileOffer, _ chunk: FilePackage.Chunk, from peer: UUID, held: Int) {
        queue.async { [self] in
            guard let sink = sinks[key] else { return missing(key, held: held) }
            do {
                try write(chunk, to: sink)
                try meetFault()
                let folder = DurableDirectory(directory.inbox + "/" + key.transfer.uuidString)
                try folder.create()
                // A directory created by a killed process may not be on the disk yet.
                try DurableDirectory(directory.inbox).synchronise()
                sinks[key] = nil
                guard let checksum = chunk.checksum,
                    try sink.finish(checksum: checksum, as: offer.name, in: folder)
                else { return report { $0.partDamaged(key, held: held, at: $1) } }
                CrashPoint.fileFinished.pass()
                let path = folder.path(of: offer.name)
                report { $0.fileArrived(key, path: path, held: held, at: $1) }
            } catch {
                fail(key, error, held: held)
            }
        }
    }

    private func write(_ chunk: FilePackage.Chunk, to sink: FileSink) throws(SystemError) {
        try meetFault()
        try sink.append(chunk.bytes)
        CrashPoint.fileChunkWritten.pass()
    }

    func closePart(_ key: FileKey) { queue.async { self.sinks[key] = nil } }

    func closeParts(of device: UUID) {
        queue.async { [self] in sinks = sinks.filter { $0.key.device != device } }
    }

    func removePart(_ key: FileKey, from peer: UUID) {
        queue.async { [self] in
            sinks[key] = nil
            remove(directory.partial(key.transfer, from: peer))
        }
    }

    func removeFile(_ path: String) {
        queue.async { [self] in remove(DurableDirectory(of: path).path) }
    }

    /// Removes expired partial files, and files that a crash left in the inbox without a record.
    ///
    /// - Parameter recorded: The directories of the inbox files that the delegate has not received.
    func clean(keeping recorded: Set<String>) {
        queue.async { [self] in
            let manager = FileManager.default
            do {
                for name in try manager.contentsOfDirectory(atPath: directory.partial) {
                    let path = directory.partial + "/" + name
                    let modified = try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date
                    guard let modified, -modified.timeIntervalSinceNow > Self.partialLifetime else { continue }
                    try manager.removeItem(atPath: path)
                }
                for name in try manager.contentsOfDirectory(atPath: directory.inbox)
                where !recorded.contains(directory.inbox + "/" + name) {
                    try manager.removeItem(atPath: directory.inbox + "/" + name)
                }
            } catch {
                logger.log(.fileSystemFailed, [.error(error)])
            }
        }
    }

    // MARK: - On the queue

    /// Removes the oldest idle partial file of a counterpart that has too many.
    private func dropOldestPart(of peer: UUID) throws {
        let manager = FileManager.default
        let parts = try manager.contentsOfDirectory(atPath: directory.partial)
            .filter { $0.hasPrefix(peer.uuidString) }.map { directory.partial + "/" + $0 }
        guard parts.count >= Self.partialFiles else { return }
        let underWay = Set(sinks.values.map(\.path))
        let dated = try parts.filter { !underWay.contains($0) }.map { path in
            (path, try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date ?? .distantPast)
        }
        if let oldest = dated.min(by: { $0.1 < $1.1 }) { remove(oldest.0) }
    }

    private func remove(_ path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            logger.log(.fileSystemFailed, [.path(path), .error(error)])
        }
    }

    /// Throws the injected disk fault, which affects files and databases alike.
    private func meetFault() throws(SystemError) {
        guard let code = DiskFault.writeError(below: directory.path) else { return }
        throw SystemError("write to", on: directory.partial, code: code)
    }

    /// Reports a failed file: a temporary failure makes the sender retry later, a permanent one refuses the file. Later
    /// pieces would leave a gap, and find no sink.
    private func fail(_ key: FileKey, _ error: any Error, held: Int? = nil) {
        logger.log(.fileSystemFailed, [.package(key.transfer), .error(error)])
        sinks[key] = nil
        let answer: TransferAnswer =
            switch error {
            case let error as SystemError where error.isTemporary:
                .later("the file cannot be stored now: \(error.cause)")
            case let error as SystemError: .refused(Self.code(of: error), reason: error.cause)
            // A database or directory failure: a problem of this side, not of the file.
            default: .later("the file cannot be stored now")
            }
        report { $0.partFailed(key, answer, held: held, at: $1) }
    }

    /// Reports a piece that follows one that could not be written.
    private func missing(_ key: FileKey, held: Int) {
        report { $0.partFailed(key, .later("an earlier piece could not be stored"), held: held, at: $1) }
    }

    private static func code(of error: SystemError) -> SessionErrorCode {
        switch error.code {
        case EFBIG: .insufficientSpace
        case EACCES, EPERM: .fileAccessDenied
        default: .deliveryFailed
        }
    }
}
