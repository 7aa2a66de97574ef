import EventLog
import Files
import Foundation
import LinkProtocol
import LinkTransport
import SessionStorage

/// Sends files: carries out a ``FileSendMachine`` for each, on the files' queue.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone.
final class FileSender: @unchecked Sendable {
    private struct Outgoing {
        let source: FileSource
        var machine: FileSendMachine
        let device: UUID
        let epoch: UInt64?
    }

    private let queue: DispatchQueue
    private let logger: Logger
    private let send: PackageSender
    private let onProgress: @Sendable (UUID, Int64) -> Void
    private let onEnd: @Sendable (TransferCenter.Ending) -> Void
    private var files: [UUID: Outgoing] = [:]

    /// - Parameters:
    ///   - queue: The files' queue.
    ///   - onProgress: Called with what the receiver has of a file, in bytes.
    ///   - onEnd: Called when a file cannot be sent, or not now.
    init(
        queue: DispatchQueue, logger: Logger,
        send: @escaping PackageSender,
        onProgress: @escaping @Sendable (UUID, Int64) -> Void,
        onEnd: @escaping @Sendable (TransferCenter.Ending) -> Void
    ) {
        self.queue = queue
        self.logger = logger
        self.send = send
        self.onProgress = onProgress
        self.onEnd = onEnd
    }

    // MARK: - From any thread

    /// Announces a file to a device, which then says from where it wants it.
    ///
    /// - Parameter epoch: The device's, in which the pieces may go out.
    func start(_ transfer: OutgoingTransfer, to device: UUID, in epoch: UInt64?) {
        queue.async { [self] in
            guard let stamp = transfer.file else { return }
            do {
                let expected = FileSource.Attributes(size: stamp.size, modified: stamp.modified, inode: stamp.inode)
                let source = try FileSource(path: stamp.path, expected: expected)
                files[transfer.identifier] = Outgoing(
                    source: source, machine: FileSendMachine(size: stamp.size), device: device, epoch: epoch)
                let offer = FileOffer(
                    name: URL(filePath: stamp.path).lastPathComponent, size: stamp.size, metadata: transfer.payload)
                transmit(
                    MessagePackage(
                        identifier: transfer.identifier, command: .transferFile, status: .sent,
                        dataPackage: try offer.data(), timestamp: Date()), transfer.identifier, device, epoch)
            } catch {
                fail(transfer.identifier, error)
            }
        }
    }

    /// The receiver has a file up to an offset.
    func progressed(_ transfer: UUID, to offset: Int64, from device: UUID) {
        queue.async { [self] in
            guard var file = files[transfer], file.device == device else { return }
            do {
                if file.machine.acknowledged == nil, offset > 0 {
                    logger.log(.fileResumed, [.package(transfer), .offset(offset)])
                }
                let pieces = try file.machine.progressed(to: offset)
                files[transfer] = file
                onProgress(transfer, offset)
                for piece in pieces {
                    let (bytes, checksum) = try file.source.read(
                        offset: piece.offset, count: piece.count, isLast: piece.isLast)
                    let chunk = FilePackage.Chunk(
                        transfer: transfer, offset: piece.offset, bytes: bytes, checksum: checksum)
                    transmit(
                        try FilePackage.chunk(chunk, identifier: .random(), timestamp: Date()), transfer, device,
                        file.epoch)
                }
            } catch {
                fail(transfer, error)
                // What its receiver has is of no use any more.
                cancel(transfer, to: device)
            }
        }
    }

    /// The file is not sent any further.
    func stop(_ transfer: UUID) { queue.async { self.files[transfer] = nil } }

    /// Tells the receiver that a file will not come.
    func cancel(_ transfer: UUID, to device: UUID) {
        queue.async { [self] in
            files[transfer] = nil
            do {
                send(try FilePackage.cancel(transfer, identifier: .random(), timestamp: Date()), device, nil) { _ in }
            } catch {
                logger.log(.fileSystemFailed, [.package(transfer), .error(error)])
            }
        }
    }

    // MARK: - On the queue

    private func transmit(_ package: MessagePackage, _ transfer: UUID, _ device: UUID, _ epoch: UInt64?) {
        send(package, device, epoch) { [self] error in
            // What would follow leaves a gap: the file is offered again instead.
            stop(transfer)
            onEnd(
                TransferCenter.Ending(
                    identifier: transfer, outcome: .unavailable(reason: error.localizedDescription)))
        }
    }

    private func fail(_ transfer: UUID, _ error: any Error) {
        files[transfer] = nil
        if case .unreadable(let cause)? = error as? FileSource.Failure, cause.isTemporary {
            return onEnd(TransferCenter.Ending(identifier: transfer, outcome: .unavailable(reason: "\(error)")))
        }
        let code: WCError.Code =
            switch error as? FileSource.Failure {
            case .unreadable, .notRegular: .fileAccessDenied
            case .changed: .deliveryFailed
            case nil: .genericError
            }
        onEnd(TransferCenter.Ending(identifier: transfer, outcome: .refused(reason: "\(error)"), code: code.rawValue))
    }
}
