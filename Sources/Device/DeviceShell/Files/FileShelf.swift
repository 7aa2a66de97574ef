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

/// The device's files: carries out the engine's effects on the files that go out and come in, on one queue, and says how that
/// went.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone.
final class FileShelf: @unchecked Sendable {
    typealias Report = DeviceStore.Report

    /// Files of one counterpart of which a part may be kept. 16: what a sender forgets without saying so must not grow.
    private static let partialFiles = 16
    /// How long what came of a file is kept for its sender to go on. A week: a watch may lie in a drawer for some days.
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

    /// Calls back when all that was asked for before is done: whoever has the directory next must find its files at rest.
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

    /// The whole file is here: into the inbox with it, and then its sender may forget it.
    func finish(_ key: FileKey, _ offer: FileOffer, _ chunk: FilePackage.Chunk, from peer: UUID, held: Int) {
        queue.async { [self] in
            guard let sink = sinks[key] else { return missing(key, held: held) }
            do {
                try write(chunk, to: sink)
                try meetFault()
                let folder = DurableDirectory(directory.inbox + "/" + key.transfer.uuidString)
                try folder.create()
                // One that a killed process had made may not be on the disk yet.
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

    /// Removes what no sender will go on with, and what a crash left in the inbox without a record.
    ///
    /// - Parameter recorded: The directories of the inbox's files that the delegate has not had.
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

    /// Makes room for the part of another file.
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

    /// What a person asked of the disk meets files as it meets databases.
    private func meetFault() throws(SystemError) {
        guard let code = DiskFault.writeError(below: directory.path) else { return }
        throw SystemError("write to", on: directory.partial, code: code)
    }

    /// What cannot be kept now is sent again later, as other transfers are; what can never be kept is refused. What would follow
    /// leaves a gap, and finds no sink.
    private func fail(_ key: FileKey, _ error: any Error, held: Int? = nil) {
        logger.log(.fileSystemFailed, [.package(key.transfer), .error(error)])
        sinks[key] = nil
        let answer: TransferAnswer =
            switch error {
            case let error as SystemError where error.isTemporary: .later("it cannot be kept now: \(error.cause)")
            case let error as SystemError: .refused(Self.code(of: error), reason: error.cause)
            // A database, or a directory that could not be read: trouble of this side, not of the file.
            default: .later("it cannot be kept now")
            }
        report { $0.partFailed(key, answer, held: held, at: $1) }
    }

    /// A piece came behind one that could not be written.
    private func missing(_ key: FileKey, held: Int) {
        report { $0.partFailed(key, .later("what was before it could not be kept"), held: held, at: $1) }
    }

    private static func code(of error: SystemError) -> SessionErrorCode {
        switch error.code {
        case EFBIG: .insufficientSpace
        case EACCES, EPERM: .fileAccessDenied
        default: .deliveryFailed
        }
    }
}
