import EventLog
package import Foundation
package import LinkProtocol

/// Files: offered, sent in pieces from where the receiver wants them, put together, resumed.
extension DeviceEngine {
    /// Files of one counterpart that may come in at once. A sender sends one after the other; 4 leave room for restarts.
    private static let filesUnderWay = 4

    struct Files: Sendable {
        enum Source: Sendable {
            case opening(OutgoingTransfer)
            case sending(FileSendMachine)
        }

        struct OutgoingFile: Sendable {
            var source: Source
            let device: UUID
            let epoch: UInt64
        }

        struct IncomingFile: Sendable {
            var machine: FileReceiveMachine
            let offer: FileOffer
        }

        /// An offer whose part is being opened, with the bytes that the device may send more of then.
        struct Opening: Sendable {
            let offer: FileOffer
            let held: Int
            /// A sender that offers a file again may have heard of the former offer, and send what follows at once.
            var pieces: [(chunk: FilePackage.Chunk, held: Int)] = []
        }

        var outgoing: [UUID: OutgoingFile] = [:]
        var opening: [FileKey: Opening] = [:]
        var incoming: [FileKey: IncomingFile] = [:]
        /// Files that are whole, and have no answer yet: they are kept though their device goes away.
        var finishing: [FileKey: FileOffer] = [:]
        /// The piece in the package that is being received, where it has been decoded already.
        var decoded: FilePackage.Chunk?

        /// A file may come in beside the others of its device, up to a limit.
        func isRoom(for key: FileKey, within limit: Int) -> Bool {
            func isOther(_ other: FileKey) -> Bool { other.device == key.device && other != key }
            return incoming.keys.count(where: isOther) + opening.keys.count(where: isOther)
                + finishing.keys.count(where: isOther) < limit
        }
    }

    // MARK: - Out

    mutating func openFile(_ transfer: OutgoingTransfer, for device: UUID) {
        files.outgoing[transfer.identifier] = Files.OutgoingFile(
            source: .opening(transfer), device: device, epoch: outgoing.epochs[device] ?? 0)
        emit(.openSource(transfer))
    }

    /// A file that is to be sent is open, and is what was queued.
    package mutating func sourceOpened(_ transfer: UUID, at moment: Moment) {
        guard var file = files.outgoing[transfer], case .opening(let queued) = file.source, let stamp = queued.file
        else { return }
        file.source = .sending(FileSendMachine(size: stamp.size))
        files.outgoing[transfer] = file
        let name = stamp.path.split(separator: "/").last.map(String.init) ?? stamp.path
        do {
            let offer = FileOffer(name: name, size: stamp.size, metadata: queued.payload)
            let package = MessagePackage(
                identifier: transfer, command: .transferFile, status: .sent, dataPackage: try offer.data(),
                timestamp: moment.date)
            write(package, to: file.device, of: transfer, at: moment)
        } catch {
            sourceFailed(transfer, isTemporary: false, .genericError, reason: "\(error)", at: moment)
        }
    }

    /// A file cannot be opened or read.
    package mutating func sourceFailed(
        _ transfer: UUID, isTemporary: Bool, _ code: SessionErrorCode, reason: String, at moment: Moment
    ) {
        guard let file = files.outgoing[transfer] else { return }
        let outcome: OutboxStateMachine.Outcome = isTemporary ? .unavailable(reason: reason) : .refused(reason: reason)
        let isBegun = if case .sending = file.source { true } else { false }
        stopFile(transfer)
        ended(
            TransferStateMachine.Ending(
                identifier: transfer, outcome: outcome, code: isTemporary ? nil : code.rawValue), at: moment)
        // What its receiver has is of no use any more.
        if isBegun { withdraw(transfer, from: file.device, at: moment) }
    }

    /// The receiver has a file up to an offset.
    mutating func progressed(_ transfer: UUID, to offset: Int64, from device: UUID, at moment: Moment) {
        transfers.progressed(transfer, at: moment.time)
        guard var file = files.outgoing[transfer], file.device == device, case .sending(var machine) = file.source
        else { return }
        if machine.acknowledged == nil, offset > 0 { log(.fileResumed, [.package(transfer), .offset(offset)]) }
        do {
            let pieces = try machine.progressed(to: offset)
            file.source = .sending(machine)
            files.outgoing[transfer] = file
            emit(.fileProgressed(transfer, to: offset))
            if !pieces.isEmpty { emit(.readPieces(transfer, pieces)) }
        } catch {
            // It may be about a former offer on the same connection: the file is offered again, and goes on where it is.
            stopFile(transfer)
            putOff([transfer], for: device, reason: "\(error)", at: moment)
        }
    }

    /// A piece of a file is read: `package` holds it.
    package mutating func pieceRead(_ transfer: UUID, _ package: MessagePackage, at moment: Moment) {
        // What was read for a former try, which was stopped, comes before the file is open again.
        guard let file = files.outgoing[transfer], case .sending = file.source,
            outgoing.epochs[file.device] ?? 0 == file.epoch
        else { return }
        write(package, to: file.device, of: transfer, at: moment)
    }

    /// No more of a file is sent.
    mutating func stopFile(_ transfer: UUID) {
        if files.outgoing.removeValue(forKey: transfer) != nil { emit(.closeSource(transfer)) }
    }

    /// Tells a device that a file will not come.
    mutating func withdraw(_ transfer: UUID, from device: UUID, at moment: Moment) {
        stopFile(transfer)
        do {
            write(
                try FilePackage.cancel(transfer, identifier: identifier(), timestamp: moment.date), to: device,
                at: moment)
        } catch {
            log(.transferFailed, [.package(transfer), .error(error)])
        }
    }

    // MARK: - In

    mutating func offered(_ package: MessagePackage, by device: UUID, _ held: Int, at moment: Moment) {
        let key = FileKey(device: device, transfer: package.identifier)
        // It is here already: the answer to the former offer is the answer to this one.
        guard files.finishing[key] == nil else { return handled(device, bytes: held, at: moment) }
        do throws(ProtocolError) {
            let offer = try FileOffer(package)
            guard files.isRoom(for: key, within: Self.filesUnderWay) else {
                answer(key, .later("too many files at once"), at: moment)
                return handled(device, bytes: held, at: moment)
            }
            files.incoming[key] = nil
            let former = files.opening.updateValue(Files.Opening(offer: offer, held: held), forKey: key)
            emit(.openPart(key, offer, from: counterpart(device)))
            if let former { release(former, of: device, at: moment) }
        } catch {
            emit(.removePart(key, from: counterpart(device)))
            answer(key, .refused(.deliveryFailed, reason: "\(error)"), at: moment)
            handled(device, bytes: held, at: moment)
        }
    }

    /// The part of a file is open, with so many bytes in it.
    package mutating func partOpened(_ key: FileKey, size: Int64, at moment: Moment) {
        guard let opening = files.opening.removeValue(forKey: key) else { return }
        files.incoming[key] = Files.IncomingFile(
            machine: FileReceiveMachine(size: opening.offer.size, received: size), offer: opening.offer)
        acknowledge(key, size, at: moment)
        handled(key.device, bytes: opening.held, at: moment)
        for (chunk, held) in opening.pieces { received(chunk, of: key, held, at: moment) }
    }

    /// A file that is offered arrived before.
    package mutating func partKnown(_ key: FileKey, at moment: Moment) {
        guard let opening = files.opening.removeValue(forKey: key) else { return }
        log(.transferRepeated, [.package(key.transfer), .kind(TransferKind.file.rawValue)])
        answer(key, .arrived, at: moment)
        release(opening, of: key.device, at: moment)
    }

    /// A part could not be opened or written.
    ///
    /// - Parameter held: As the effect named it; nil if the part could not be opened.
    package mutating func partFailed(_ key: FileKey, _ answer: TransferAnswer, held: Int? = nil, at moment: Moment) {
        // Nobody waits for it any more if it was cancelled, its device went away, or a piece before this one failed.
        if let held {
            handled(key.device, bytes: held, at: moment)
            let isFinishing = files.finishing.removeValue(forKey: key) != nil
            guard files.incoming.removeValue(forKey: key) != nil || isFinishing else { return }
        } else {
            guard let opening = files.opening.removeValue(forKey: key) else { return }
            release(opening, of: key.device, at: moment)
        }
        // What is here stays if there may be room again: the sender goes on behind it.
        emit(answer.isFinal ? .removePart(key, from: counterpart(key.device)) : .closePart(key))
        self.answer(key, answer, at: moment)
    }

    mutating func receivedPiece(_ package: MessagePackage, from device: UUID, _ held: Int, at moment: Moment) {
        do throws(ProtocolError) {
            let chunk = if let decoded = files.decoded { decoded } else { try FilePackage.chunk(in: package) }
            let key = FileKey(device: device, transfer: chunk.transfer)
            guard files.opening[key] == nil else {
                files.opening[key]?.pieces.append((chunk, held))
                return
            }
            received(chunk, of: key, held, at: moment)
        } catch {
            handled(device, bytes: held, at: moment)
            emit(.misbehaved(device, error))
        }
    }

    private mutating func received(
        _ chunk: FilePackage.Chunk, of key: FileKey, _ held: Int, at moment: Moment
    ) {
        // Pieces of a file that was refused or cancelled may still be under way.
        guard var file = files.incoming[key] else { return handled(key.device, bytes: held, at: moment) }
        do throws(ProtocolError) {
            let action = try file.machine.received(chunk)
            files.incoming[key] = file
            switch action {
            case .write: emit(.append(key, chunk, held: held))
            case .finish:
                files.incoming[key] = nil
                files.finishing[key] = file.offer
                emit(.finishPart(key, file.offer, chunk, from: counterpart(key.device), held: held))
            }
        } catch {
            handled(key.device, bytes: held, at: moment)
            emit(.misbehaved(key.device, error))
            // What is here already is right: a sender that offers the file again goes on behind it.
            files.incoming[key] = nil
            emit(.closePart(key))
            answer(key, .later("\(error)"), at: moment)
        }
    }

    /// A piece was appended to a part, which has this size now.
    package mutating func appended(_ key: FileKey, size: Int64, held: Int, at moment: Moment) {
        if files.incoming[key] != nil { acknowledge(key, size, at: moment) }
        handled(key.device, bytes: held, at: moment)
    }

    /// A file is whole, and lies in the inbox.
    package mutating func fileArrived(_ key: FileKey, path: String, held: Int, at moment: Moment) {
        guard let offer = files.finishing[key] else {
            emit(.removeFile(path: path))
            return handled(key.device, bytes: held, at: moment)
        }
        let transfer = ReceivedTransfer(
            identifier: key.transfer, peer: counterpart(key.device), kind: .file, payload: offer.metadata,
            path: path, receivedAt: moment.date)
        // Files come one after the other: there is none behind it that could overtake it.
        let arrival = Arrival(transfer: transfer, bytes: Int(offer.size), device: key.device, startsRound: true)
        inbox.waiting.append(.taken(Inbox.Waiting(arrival: arrival, held: held)))
        takeIn(at: moment)
    }

    /// A whole file is not what was sent: it is asked for again from its beginning, through another offer.
    package mutating func partDamaged(_ key: FileKey, held: Int, at moment: Moment) {
        log(.fileDamaged, [.package(key.transfer)])
        if files.finishing.removeValue(forKey: key) != nil {
            answer(key, .later("the file arrived damaged"), at: moment)
        }
        handled(key.device, bytes: held, at: moment)
    }

    mutating func removePart(_ key: FileKey, at moment: Moment) {
        files.incoming[key] = nil
        files.finishing[key] = nil
        if let opening = files.opening.removeValue(forKey: key) { release(opening, of: key.device, at: moment) }
        emit(.removePart(key, from: counterpart(key.device)))
    }

    mutating func disconnectedFiles(_ device: UUID) {
        files.incoming = files.incoming.filter { $0.key.device != device }
        files.opening = files.opening.filter { $0.key.device != device }
        emit(.closeParts(of: device))
    }

    /// Nothing of an offer, and of what came behind it, waits any more.
    private mutating func release(_ opening: Files.Opening, of device: UUID, at moment: Moment) {
        handled(device, bytes: opening.held, at: moment)
        for (_, held) in opening.pieces { handled(device, bytes: held, at: moment) }
    }

    private mutating func acknowledge(_ key: FileKey, _ offset: Int64, at moment: Moment) {
        do {
            let package = try FilePackage.progress(
                key.transfer, offset: offset, identifier: identifier(), timestamp: moment.date)
            write(package, to: key.device, at: moment)
        } catch {
            log(.transferFailed, [.package(key.transfer), .error(error)])
        }
    }

    private mutating func answer(_ key: FileKey, _ answer: TransferAnswer, at moment: Moment) {
        self.answer(key.transfer, .transferFile, key.device, answer, at: moment)
    }
}
