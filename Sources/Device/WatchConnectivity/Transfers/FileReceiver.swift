import CrashPoints
import EventLog
import Files
import Foundation
import Glibc
import LinkProtocol
import LinkTransport
import SessionStorage

/// Receives files into the device's inbox: carries out a ``FileReceiveMachine`` for each, on the files' queue.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone.
final class FileReceiver: @unchecked Sendable {
    /// Files of one counterpart that may be under way at once. A sender sends one after the other; 4 leave room for restarts.
    private static let filesUnderWay = 4
    /// Files of one counterpart of which a part may be kept. 16: what a sender forgets without saying so must not grow.
    private static let partialFiles = 16
    /// How long what came of a file is kept for its sender to go on. A week: a watch may lie in a drawer for some days.
    private static let partialLifetime: TimeInterval = 7 * 24 * 60 * 60

    private struct Incoming {
        let sink: FileSink
        var machine: FileReceiveMachine
        let offer: FileOffer
    }

    private struct Key: Hashable {
        let device: UUID
        let transfer: UUID
    }

    private let queue: DispatchQueue
    private let directory: DeviceDirectory
    private let store: SessionStore
    private let inbox: Inbox
    private let logger: Logger
    private let reply: @Sendable (MessagePackage, UUID) -> Void
    private var files: [Key: Incoming] = [:]

    /// - Parameters:
    ///   - queue: The files' queue.
    ///   - reply: Hands a package to the link.
    init(
        queue: DispatchQueue, directory: DeviceDirectory, store: SessionStore, inbox: Inbox, logger: Logger,
        reply: @escaping @Sendable (MessagePackage, UUID) -> Void
    ) {
        self.queue = queue
        self.directory = directory
        self.store = store
        self.inbox = inbox
        self.logger = logger
        self.reply = reply
    }

    // MARK: - From the link

    /// A file is announced. `done` is called when the package has been dealt with.
    ///
    /// - Parameter peer: The counterpart that the device stands for.
    func offered(_ package: MessagePackage, by device: UUID, for peer: UUID, done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            defer { done() }
            let transfer = package.identifier
            do {
                let offer = try FileOffer(package)
                if try store.hasSeen(transfer, from: peer) {
                    logger.log(.transferRepeated, [.package(transfer), .kind(TransferKind.file.rawValue)])
                    return answer(transfer, device, .arrived)
                }
                guard files.keys.filter({ $0.device == device }).count < Self.filesUnderWay else {
                    return answer(transfer, device, .later("too many files at once"))
                }
                try dropOldestPart(of: peer)
                try meetFault()
                let sink = try FileSink(path: directory.partial(transfer, from: peer), expectedSize: offer.size)
                let key = Key(device: device, transfer: transfer)
                files[key] = Incoming(
                    sink: sink, machine: FileReceiveMachine(size: offer.size, received: sink.size), offer: offer)
                acknowledge(key, sink.size)
            } catch {
                let answer = failure(error, transfer)
                // Nobody goes on with what is refused for good.
                if case .refused = answer { remove(directory.partial(transfer, from: peer)) }
                self.answer(transfer, device, answer)
            }
        }
    }

    func received(_ package: MessagePackage, from device: UUID, for peer: UUID, done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            defer { done() }
            var key: Key?
            do {
                let chunk = try FilePackage.chunk(in: package)
                let found = Key(device: device, transfer: chunk.transfer)
                // Pieces of a file that was refused or cancelled may still be under way.
                guard var file = files[found] else { return }
                key = found
                let action = try file.machine.received(chunk)
                try meetFault()
                try file.sink.append(chunk.bytes)
                CrashPoint.fileChunkWritten.pass()
                files[found] = file
                switch action {
                case .write: acknowledge(found, file.sink.size)
                case .finish(let checksum): try finish(found, file, checksum, peer)
                }
            } catch let error as ProtocolError {
                logger.log(.peerMisbehaved, [.device(device), .error(error)])
                guard let key else { return }
                // What is here already is right: a sender that offers the file again goes on behind it.
                files[key] = nil
                answer(key.transfer, device, .later("\(error)"))
            } catch {
                guard let key else { return }
                let answer = failure(error, key.transfer)
                if case .later = answer {
                    // What is here stays: the sender goes on behind it when there is room again.
                    files[key] = nil
                } else {
                    drop(key, peer)
                }
                self.answer(key.transfer, device, answer)
            }
        }
    }

    /// The sender gave a file up.
    func cancelled(_ transfer: UUID, by device: UUID, for peer: UUID) {
        queue.async { [self] in drop(Key(device: device, transfer: transfer), peer) }
    }

    /// What came of a device's files is kept: it may go on when it is back.
    func disconnected(_ device: UUID) {
        queue.async { [self] in files = files.filter { $0.key.device != device } }
    }

    /// Removes what no sender will go on with, and what a crash left in the inbox without a record.
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

    /// The whole file is here: into the inbox with it, and then its sender may forget it.
    private func finish(_ key: Key, _ file: Incoming, _ checksum: UInt32, _ peer: UUID) throws {
        files[key] = nil
        try meetFault()
        let folder = DurableDirectory(directory.inbox + "/" + key.transfer.uuidString)
        try folder.create()
        // One that a killed process had made may not be on the disk yet.
        try DurableDirectory(directory.inbox).synchronise()
        let path = folder.path(of: file.offer.name)
        guard try file.sink.finish(checksum: checksum, as: file.offer.name, in: folder) else {
            // Not what was sent: it is asked for again from its beginning, once more through an offer.
            logger.log(.fileDamaged, [.package(key.transfer)])
            return answer(key.transfer, key.device, .later("the file arrived damaged"))
        }
        CrashPoint.fileFinished.pass()
        let transfer = ReceivedTransfer(
            identifier: key.transfer, peer: peer, kind: .file, payload: file.offer.metadata, path: path,
            receivedAt: Date())
        // Files come one after the other: there is none behind it that could overtake it.
        inbox.arrived(transfer, bytes: Int(file.offer.size), from: key.device, startsRound: true) { [self] answer in
            if case .arrived = answer {} else { remove(folder.path) }
            self.answer(key.transfer, key.device, answer)
        }
    }

    private func acknowledge(_ key: Key, _ offset: Int64) {
        do {
            reply(
                try FilePackage.progress(key.transfer, offset: offset, identifier: .random(), timestamp: Date()),
                key.device)
        } catch {
            logger.log(.fileSystemFailed, [.package(key.transfer), .error(error)])
        }
    }

    /// Makes room for the part of another file.
    private func dropOldestPart(of peer: UUID) throws {
        let manager = FileManager.default
        let parts = try manager.contentsOfDirectory(atPath: directory.partial)
            .filter { $0.hasPrefix(peer.uuidString) }.map { directory.partial + "/" + $0 }
        guard parts.count >= Self.partialFiles else { return }
        let underWay = Set(files.values.map(\.sink.path))
        let dated = try parts.filter { !underWay.contains($0) }.map { path in
            (path, try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date ?? .distantPast)
        }
        if let oldest = dated.min(by: { $0.1 < $1.1 }) { remove(oldest.0) }
    }

    private func drop(_ key: Key, _ peer: UUID) {
        files[key] = nil
        remove(directory.partial(key.transfer, from: peer))
    }

    private func remove(_ path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            logger.log(.fileSystemFailed, [.path(path), .error(error)])
        }
    }

    private func answer(_ transfer: UUID, _ device: UUID, _ answer: TransferAnswer) {
        reply(answer.package(transfer, .transferFile), device)
    }

    /// What a person asked of the disk meets files as it meets databases.
    private func meetFault() throws(SystemError) {
        guard let code = DiskFault.writeError(below: directory.path) else { return }
        throw SystemError("write to", on: directory.partial, code: code)
    }

    /// What cannot be kept now is sent again later, as other transfers are; what can never be kept is refused.
    private func failure(_ error: any Error, _ transfer: UUID) -> TransferAnswer {
        logger.log(.fileSystemFailed, [.package(transfer), .error(error)])
        switch error {
        case let error as SystemError where error.isTemporary: return .later("it cannot be kept now: \(error.cause)")
        case let error as SystemError:
            let code: WCError.Code =
                switch error.code {
                case EFBIG: .insufficientSpace
                case EACCES, EPERM: .fileAccessDenied
                default: .deliveryFailed
                }
            return .refused(WCError(code, reason: error.cause))
        case let error as ProtocolError: return .refused(WCError(.deliveryFailed, reason: "\(error)"))
        // A database, or a directory that could not be read: trouble of this side, not of the file.
        default: return .later("it cannot be kept now")
        }
    }
}
