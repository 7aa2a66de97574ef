import Foundation
import LinkProtocol

/// Files: offered, sent in pieces, resumed.
extension AppProcess {
    /// One buffer for all pieces: what is in them does not matter, only how much it is.
    private static let zeros = Data(count: LinkLimits.fileChunkBytes)

    // MARK: - Out

    func offer(_ record: SessionRecords.Outgoing, to device: UUID) {
        outgoingFiles[record.identifier] = (FileSendMachine(size: record.size), device)
        do {
            let offer = FileOffer(name: "file", size: record.size, metadata: nil)
            endpoint(device)?.send(
                MessagePackage(
                    identifier: record.identifier, command: .transferFile, status: .sent,
                    dataPackage: try offer.data(), timestamp: node.wallClock))
        } catch {
            world.chronicle.fail(.settles, "an offer has no archive: \(error)")
        }
    }

    func fileProgressed(_ transfer: UUID, to offset: Int64, from device: UUID) {
        guard var file = outgoingFiles[transfer], file.device == device else { return }
        do {
            let pieces = try file.machine.progressed(to: offset)
            outgoingFiles[transfer] = file
            for piece in pieces {
                let chunk = FilePackage.Chunk(
                    transfer: transfer, offset: piece.offset, bytes: Self.zeros.prefix(piece.count),
                    checksum: piece.isLast ? 0 : nil)
                endpoint(device)?.send(
                    MessagePackage(
                        identifier: world.identifier(), command: .fileChunk, status: .sent,
                        timestamp: node.wallClock), chunk: chunk)
            }
        } catch {
            outgoingFiles[transfer] = nil
            world.chronicle.fail(.transfersArrive, "file \(transfer): \(error)")
        }
    }

    func withdraw(_ transfer: UUID, from device: UUID) {
        outgoingFiles[transfer] = nil
        do {
            endpoint(device)?.send(
                try FilePackage.cancel(transfer, identifier: world.identifier(), timestamp: node.wallClock))
        } catch {
            world.chronicle.fail(.settles, "a cancellation has no archive: \(error)")
        }
    }

    // MARK: - In

    func fileOffered(_ package: MessagePackage, by device: Device) {
        perform(session.handled(device.identifier, bytes: 0))
        let peer = session.counterpart(device.identifier)
        if node.session.content.seen[peer]?.contains(package.identifier) == true {
            return answerTransfer(package, device, isKept: true)
        }
        do {
            let offer = try FileOffer(package)
            let received = min(node.session.content.parts[package.identifier] ?? 0, offer.size)
            incomingFiles[package.identifier] = (
                FileReceiveMachine(size: offer.size, received: received), device.identifier, package
            )
            acknowledge(package.identifier, received, device)
        } catch {
            world.chronicle.fail(.transfersArrive, "an offer is unreadable: \(error)")
        }
    }

    func received(_ chunk: FilePackage.Chunk, from device: Device) {
        guard var file = incomingFiles[chunk.transfer], file.device == device.identifier else {
            return perform(session.handled(device.identifier, bytes: 0))
        }
        do {
            let action = try file.machine.received(chunk)
            let received = file.machine.received
            incomingFiles[chunk.transfer] = file
            // Parts of a file are not synced one by one: a crash may take the last ones.
            node.session.write { $0.parts[chunk.transfer] = received }
            switch action {
            case .write:
                perform(session.handled(device.identifier, bytes: 0))
                acknowledge(chunk.transfer, received, device)
            case .finish:
                incomingFiles[chunk.transfer] = nil
                arrived(file.package, device)
            }
        } catch {
            incomingFiles[chunk.transfer] = nil
            perform(session.handled(device.identifier, bytes: 0))
            answerTransfer(file.package, device, isKept: false)
        }
    }

    private func acknowledge(_ transfer: UUID, _ offset: Int64, _ device: Device) {
        do {
            endpoint(device.identifier)?.send(
                try FilePackage.progress(
                    transfer, offset: offset, identifier: world.identifier(), timestamp: node.wallClock))
        } catch {
            world.chronicle.fail(.settles, "a progress has no archive: \(error)")
        }
    }
}
