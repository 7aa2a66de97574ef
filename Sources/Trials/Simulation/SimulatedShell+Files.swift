import DeviceEngine
import Foundation
import LinkProtocol

/// Files, of which only the sizes are simulated.
extension SimulatedShell {
    /// The buffer shared by all pieces.
    private static let zeros = Data(count: LinkLimits.fileChunkBytes)

    func file(_ effect: DeviceEngine.Effect) {
        switch effect {
        case .openSource(let transfer):
            inTurn { [self] isFailing in
                let identifier = transfer.identifier
                guard isFailing else {
                    trace { "opens the file \(world.name(identifier))" }
                    openSources.insert(identifier)
                    return { $0.sourceOpened(identifier, at: $1) }
                }
                return {
                    $0.sourceFailed(identifier, isTemporary: true, .genericError, reason: "too many files", at: $1)
                }
            }
        case .readPieces(let transfer, let pieces):
            checkWindow(pieces, of: transfer)
            for piece in pieces { inTurn { [self] _ in read(piece, of: transfer) } }
        case .closeSource(let transfer):
            inTurn { [self] _ in
                trace { "closes the file \(world.name(transfer))" }
                openSources.remove(transfer)
                acknowledged.removeValue(forKey: transfer)
                return nil
            }
        case .openPart(let key, let offer, let peer): inTurn { [self] in open(key, offer, peer, isFailing: $0) }
        case .append(let key, let chunk, let held): inTurn { [self] in append(key, chunk, held, isFailing: $0) }
        case .finishPart(let key, let offer, let chunk, _, let held):
            inTurn { [self] in finish(key, offer, chunk, held, isFailing: $0) }
        case .closePart(let key): inTurn { [self] _ in close { $0 == key } }
        case .closeParts(let device): inTurn { [self] _ in close { $0.device == device } }
        case .removePart(let key, _): inTurn { [self] _ in remove(key) }
        case .removeFile(let path): commit(node.files) { _ = $0.inbox.remove(path) }
        default: break
        }
    }

    /// Complains about more pieces under way than a receiver must have room for.
    private func checkWindow(_ pieces: [FileSendMachine.Piece], of transfer: UUID) {
        let most = Int64(LinkLimits.fileChunks * LinkLimits.fileChunkBytes)
        guard let last = pieces.last, let start = acknowledged[transfer] else { return }
        let underWay = last.offset + Int64(last.count) - start
        if underWay > most { world.chronicle.fail(.bounded, "\(underWay) bytes of \(transfer) are under way") }
    }

    private typealias Answer = (inout DeviceEngine, Moment) -> Void

    /// Runs a file operation after the earlier ones have ended, and reports the result to the engine.
    private func inTurn(_ operation: @escaping (_ isFailing: Bool) -> Answer?) {
        let disk = node.files
        disk.enqueue { [self] in
            let answer = operation(node.isDiskFailing())
            guard let answer else { return disk.next() }
            schedule(after: node.readDelay()) { [self] in
                act(answer)
                disk.next()
            }
        }
    }

    private func read(_ piece: FileSendMachine.Piece, of transfer: UUID) -> Answer {
        let chunk = FilePackage.Chunk(
            transfer: transfer, offset: piece.offset, bytes: Self.zeros.prefix(piece.count),
            checksum: piece.isLast ? 0 : nil)
        do {
            let package = try world.package(of: chunk, timestamp: node.wallClock)
            return { $0.pieceRead(transfer, package, at: $1) }
        } catch {
            let reason = "\(error)"
            return { $0.sourceFailed(transfer, isTemporary: false, .genericError, reason: reason, at: $1) }
        }
    }

    private func open(_ key: FileKey, _ offer: FileOffer, _ peer: UUID, isFailing: Bool) -> Answer {
        guard node.session.content.seen[peer]?.contains(key.transfer) != true else {
            return { $0.partKnown(key, at: $1) }
        }
        guard !isFailing else { return { $0.partFailed(key, .later("the disk is full"), at: $1) } }
        let size = min(node.files.content.parts[key.transfer] ?? 0, offer.size)
        trace { "opens the part of \(world.name(key.transfer)), with \(size) bytes" }
        openParts.insert(key)
        return { $0.partOpened(key, size: size, at: $1) }
    }

    private func append(_ key: FileKey, _ chunk: FilePackage.Chunk, _ held: Int, isFailing: Bool) -> Answer {
        guard !isFailing, openParts.contains(key) else {
            // A later piece would leave a gap.
            openParts.remove(key)
            return { $0.partFailed(key, .later("the disk is full"), held: held, at: $1) }
        }
        // Pieces are not synced one by one: a crash may lose the last ones.
        trace { "appends \(chunk.bytes.count) bytes at \(chunk.offset) to \(world.name(key.transfer))" }
        node.files.write { $0.append(chunk) }
        let size = node.files.content.parts[key.transfer] ?? 0
        return { $0.appended(key, size: size, held: held, at: $1) }
    }

    private func finish(
        _ key: FileKey, _ offer: FileOffer, _ chunk: FilePackage.Chunk, _ held: Int, isFailing: Bool
    ) -> Answer {
        guard openParts.remove(key) != nil, !isFailing else {
            return { $0.partFailed(key, .later("the disk is full"), held: held, at: $1) }
        }
        let path = "/inbox/\(key.transfer)"
        let isWhole = node.files.write { $0.finish(chunk, size: offer.size, path: path) }
        node.files.sync()
        guard isWhole else { return { $0.partDamaged(key, held: held, at: $1) } }
        return { $0.fileArrived(key, path: path, held: held, at: $1) }
    }

    private func close(_ isClosed: (FileKey) -> Bool) -> Answer? {
        openParts = openParts.filter { !isClosed($0) }
        return nil
    }

    private func remove(_ key: FileKey) -> Answer? {
        openParts.remove(key)
        node.files.write { $0.parts[key.transfer] = nil }
        return nil
    }
}
