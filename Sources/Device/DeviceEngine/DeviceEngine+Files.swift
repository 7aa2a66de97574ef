import EventLog
package import Foundation
package import LinkProtocol

/// File transfers: offers, sending from the offset that the receiver requests, assembly and resumption.
extension DeviceEngine {
    /// The maximum number of concurrent incoming files per counterpart. A sender sends one file at a time; 4 leave room
    /// for restarts.
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

        /// An offer whose partial file is being opened, with the bytes returned to the device's receive window
        /// afterwards.
        struct Opening: Sendable {
            let offer: FileOffer
            let held: Int
            /// Pieces that arrived early: a sender that repeats an offer may have its answer to the first one and
            /// continue immediately.
            var pieces: [(chunk: FilePackage.Chunk, held: Int)] = []
        }

        var outgoing: [IdentifierKey: OutgoingFile] = [:]
        var opening: [FileKey: Opening] = [:]
        /// The number of partial files being opened: only the answer to the last request is for the current offer, as
        /// the file may have grown since the earlier ones.
        var requests: [FileKey: Int] = [:]
        var incoming: [FileKey: IncomingFile] = [:]
        /// Complete files without an answer; they are kept even if their device disconnects.
        var finishing: [FileKey: FileOffer] = [:]
        /// The piece in the package being received, if it is already decoded.
        var decoded: FilePackage.Chunk?

        /// Removes the offer for which a partial file was opened; nil if the answer is for an earlier offer.
        mutating func answered(_ key: FileKey) -> Opening? {
            guard let count = requests[key], count > 1 else {
                requests[key] = nil
                return opening.removeValue(forKey: key)
            }
            requests[key] = count - 1
            return nil
        }

        /// Returns whether another file may be received beside the others of its device.
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

    /// Handles the opening of a queued file that is unchanged.
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

    /// Handles a file that cannot be opened or read.
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
        // The receiver's partial copy is now useless.
        if isBegun { withdraw(transfer, from: file.device, at: moment) }
    }

    /// Handles the receiver's acknowledgement of a file up to an offset.
    mutating func progressed(_ transfer: UUID, to offset: Int64, from device: UUID, at moment: Moment) {
        guard var file = files.outgoing[transfer], file.device == device, case .sending(var machine) = file.source
        else { return }
        transfers.progressed(transfer, at: moment.time)
        if machine.acknowledged == nil, offset > 0 { log(.fileResumed, [.package(transfer), .offset(offset)]) }
        do {
            let pieces = try machine.progressed(to: offset)
            file.source = .sending(machine)
            files.outgoing[transfer] = file
            emit(.fileProgressed(transfer, to: offset))
            if !pieces.isEmpty { emit(.readPieces(transfer, pieces)) }
        } catch {
            // The offset may belong to an earlier offer on the same connection: the file is offered again and resumes
            // from there.
            stopFile(transfer)
            putOff([transfer], for: device, reason: "\(error)", at: moment)
        }
    }

    /// Handles a piece of a file that was read; `package` contains it.
    package mutating func pieceRead(_ transfer: UUID, _ package: MessagePackage, at moment: Moment) {
        // Pieces read for a stopped attempt arrive before the file is open again.
        guard let file = files.outgoing[transfer], case .sending = file.source,
            outgoing.epochs[file.device] ?? 0 == file.epoch
        else { return }
        write(package, to: file.device, of: transfer, at: moment)
    }

    /// Stops sending a file.
    mutating func stopFile(_ transfer: UUID) {
        if files.outgoing.removeValue(forKey: transfer) != nil { emit(.closeSource(transfer)) }
    }

    /// Notifies a device that a file was withdrawn.
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
        // The file is complete: the answer to the first offer also answers this one.
        guard files.finishing[key] == nil else { return handled(device, bytes: held, at: moment) }
        do throws(ProtocolError) {
            let offer = try FileOffer(package)
            guard files.isRoom(for: key, within: Self.filesUnderWay) else {
                answer(key, .later("too many concurrent files"), at: moment)
                return handled(device, bytes: held, at: moment)
            }
            files.incoming[key] = nil
            let former = files.opening.updateValue(Files.Opening(offer: offer, held: held), forKey: key)
            files.requests[key, default: 0] += 1
            emit(.openPart(key, offer, from: counterpart(device)))
            if let former { release(former, of: device, at: moment) }
        } catch {
            emit(.removePart(key, from: counterpart(device)))
            answer(key, .refused(.deliveryFailed, reason: "\(error)"), at: moment)
            handled(device, bytes: held, at: moment)
        }
    }

    /// Handles an opened partial file of `size` bytes.
    package mutating func partOpened(_ key: FileKey, size: Int64, at moment: Moment) {
        guard let opening = files.answered(key) else { return }
        files.incoming[key] = Files.IncomingFile(
            machine: FileReceiveMachine(size: opening.offer.size, received: size), offer: opening.offer)
        acknowledge(key, size, at: moment)
        handled(key.device, bytes: opening.held, at: moment)
        for (chunk, held) in opening.pieces { received(chunk, of: key, held, at: moment) }
    }

    /// Handles an offer of a file that arrived earlier.
    package mutating func partKnown(_ key: FileKey, at moment: Moment) {
        guard let opening = files.answered(key) else { return }
        log(.transferRepeated, [.package(key.transfer), .kind(TransferKind.file.rawValue)])
        answer(key, .arrived, at: moment)
        release(opening, of: key.device, at: moment)
    }

    /// Handles a partial file that could not be opened or written.
    ///
    /// - Parameter held: The value from the effect; nil if the partial file could not be opened.
    package mutating func partFailed(_ key: FileKey, _ answer: TransferAnswer, held: Int? = nil, at moment: Moment) {
        // Nothing waits for it if it was cancelled, its device disconnected, or an earlier piece failed.
        if let held {
            handled(key.device, bytes: held, at: moment)
            let isFinishing = files.finishing.removeValue(forKey: key) != nil
            guard files.incoming.removeValue(forKey: key) != nil || isFinishing else { return }
        } else {
            guard let opening = files.answered(key) else { return }
            release(opening, of: key.device, at: moment)
        }
        // A temporary failure keeps the partial file, so that the sender can resume.
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
        // Pieces of a refused or cancelled file may still be in flight.
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
            // The bytes received so far are valid: a sender that repeats the offer resumes after them.
            files.incoming[key] = nil
            emit(.closePart(key))
            answer(key, .later("\(error)"), at: moment)
        }
    }

    /// Handles an appended piece; the partial file now has `size` bytes.
    package mutating func appended(_ key: FileKey, size: Int64, held: Int, at moment: Moment) {
        if files.incoming[key] != nil { acknowledge(key, size, at: moment) }
        handled(key.device, bytes: held, at: moment)
    }

    /// Handles a complete file that was moved to the inbox.
    package mutating func fileArrived(_ key: FileKey, path: String, held: Int, at moment: Moment) {
        guard let offer = files.finishing[key] else {
            emit(.removeFile(path: path))
            return handled(key.device, bytes: held, at: moment)
        }
        let transfer = ReceivedTransfer(
            identifier: key.transfer, peer: counterpart(key.device), kind: .file, payload: offer.metadata,
            path: path, receivedAt: moment.date)
        // Files arrive one at a time, so no later one can overtake it.
        let arrival = Arrival(transfer: transfer, bytes: Int(offer.size), device: key.device, startsRound: true)
        inbox.waiting.append(.taken(Inbox.Waiting(arrival: arrival, held: held)))
        takeIn(at: moment)
    }

    /// Handles a complete file whose checksum is wrong: another offer restarts it from the beginning.
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

    /// Closes the files that a device is sending while no transfers are accepted from it: it offers them again later.
    mutating func interruptFiles(from device: UUID, at moment: Moment) {
        let (incoming, opening) = (files.incoming, files.opening.filter { $0.key.device == device })
        files.incoming = incoming.filter { $0.key.device != device }
        guard files.incoming.count < incoming.count || !opening.isEmpty else { return }
        for (key, opening) in opening {
            files.opening[key] = nil
            release(opening, of: device, at: moment)
        }
        emit(.closeParts(of: device))
    }

    mutating func disconnectedFiles(_ device: UUID) {
        files.incoming = files.incoming.filter { $0.key.device != device }
        files.opening = files.opening.filter { $0.key.device != device }
        emit(.closeParts(of: device))
    }

    /// Returns the bytes of an offer, and of the pieces after it, to the device's receive window.
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
