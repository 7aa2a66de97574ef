import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's files: repeats, ends and other devices")
struct EngineFileRepeatTests {
    private var trial: EngineTrial
    private static let transfer = EngineTrial.identifier(1)
    private static let key = FileKey(device: EngineTrial.watch, transfer: transfer)
    private static let date = Date(timeIntervalSince1970: 0)

    init() throws { trial = try EngineTrial() }

    private mutating func offer(_ number: UInt8 = 1, from device: Device = EngineTrial.device) throws -> [String] {
        let package = MessagePackage(
            identifier: EngineTrial.identifier(number), command: .transferFile, status: .sent,
            dataPackage: try FileOffer(name: "f", size: 10, metadata: nil).data(), timestamp: Self.date)
        return trial.tell { $0.received(package, from: device, bytes: 1, at: $1) }
    }

    private static func chunk(_ offset: Int64, _ count: Int, of number: UInt8 = 1) -> FilePackage.Chunk {
        FilePackage.Chunk(
            transfer: EngineTrial.identifier(number), offset: offset, bytes: Data(count: count),
            checksum: offset + Int64(count) == 10 ? 0 : nil)
    }

    private mutating func piece(
        _ offset: Int64, _ count: Int, of number: UInt8 = 1, isDecoded: Bool = true,
        from device: Device = EngineTrial.device
    ) throws -> [String] {
        let chunk = Self.chunk(offset, count, of: number)
        let package = try FilePackage.chunk(chunk, identifier: EngineTrial.identifier(98), timestamp: Self.date)
        return trial.tell {
            isDecoded
                ? $0.received(package, chunk, from: device, bytes: count, at: $1)
                : $0.received(package, from: device, bytes: count, at: $1)
        }
    }

    private mutating func open(size: Int64 = 0, _ key: FileKey = Self.key) -> [String] {
        trial.tell { $0.partOpened(key, size: size, at: $1) }
    }

    private mutating func arrive() -> [String] {
        trial.tell { $0.fileArrived(Self.key, path: "/inbox/f", held: 10, at: $1) }
    }

    private mutating func cancel(_ number: UInt8 = 1) throws -> [String] {
        let package = try FilePackage.cancel(
            EngineTrial.identifier(number), identifier: EngineTrial.identifier(96), timestamp: Self.date)
        return trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
    }

    // MARK: - In

    @Test("A file that is offered again while it arrives is opened again; the end of an earlier write reports nothing")
    mutating func offeredWhileArriving() throws {
        _ = try offer()
        _ = open()
        let first = try piece(0, 3)
        #expect(first == ["append 3 to 1"])
        let again = try offer()
        #expect(again == ["open part 1"])
        let written = trial.tell { $0.appended(Self.key, size: 3, held: 3, at: $1) }
        #expect(written == [])
        #expect(trial.engine.undeliveredPackages == 1)
        let opened = open(size: 3)
        #expect(opened == ["write FileProgress"])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("An offer that is repeated before its part is open replaces the former one, with the pieces after it")
    mutating func offeredTwice() throws {
        _ = try offer()
        _ = try piece(0, 3)
        #expect(trial.engine.undeliveredPackages == 2)
        _ = try offer()
        #expect(trial.engine.undeliveredPackages == 1)
        let former = open()
        #expect(former == [])
        let opened = open()
        #expect(opened == ["write FileProgress"])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("The watch is read again after a message that fills its room, and launches an app that interrupts its file")
    mutating func launchedWhileOpening() throws {
        _ = trial.tell { engine, moment in engine.change(at: moment) { $0.enter(.terminated) } }
        let half = LinkLimits.undeliveredBytes / 2
        let offer = MessagePackage(
            identifier: Self.transfer, command: .transferFile, status: .sent,
            dataPackage: try FileOffer(name: "f", size: 10, metadata: nil).data(), timestamp: Self.date)
        _ = trial.effects { $0.received(offer, from: EngineTrial.device, bytes: half, at: $1) }
        let message = MessagePackage(
            identifier: EngineTrial.identifier(2), command: .sendMessageData, status: .sent, dataPackage: Data([2]),
            timestamp: Self.date)
        var readings: [Bool] = []
        let effects = trial.effects { $0.received(message, from: EngineTrial.device, bytes: half, at: $1) }
        for case .setReading(EngineTrial.watch, let isReading) in effects { readings.append(isReading) }
        #expect(trial.engine.undeliveredPackages == 1)
        #expect(readings.last == true, "\(readings)")
    }

    @Test("An offer without room, and one that is none, are handled at once")
    mutating func refusedOffers() throws {
        for number: UInt8 in 1...5 { _ = try offer(number) }
        #expect(trial.engine.undeliveredPackages == 4)
        let package = MessagePackage(
            identifier: EngineTrial.identifier(6), command: .transferFile, status: .sent, timestamp: Self.date)
        let refused = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(refused == ["remove part 6", "write Failed to 6"])
        #expect(trial.engine.undeliveredPackages == 4)
    }

    @Test("A piece that was not decoded on the way is decoded here; one that cannot be ends the connection")
    mutating func undecoded() throws {
        _ = try offer()
        _ = open()
        let pieces = [try piece(0, 3), try piece(3, 4, isDecoded: false)]
        #expect(pieces == [["append 3 to 1"], ["append 4 to 1"]])
        #expect(trial.engine.undeliveredPackages == 2)
        let package = MessagePackage(
            identifier: EngineTrial.identifier(98), command: .fileChunk, status: .sent, timestamp: Self.date)
        let bad = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(bad == ["misbehaved: bad file package: no content"])
        #expect(trial.engine.undeliveredPackages == 2)
    }

    @Test("Pieces that a fault delayed are not mixed up with one another")
    mutating func delayed() throws {
        trial = try EngineTrial(faults: ["delay in file by=2s nth=2"])
        _ = try offer()
        _ = open()
        let held = [try piece(0, 3), try piece(3, 4)]
        #expect(held.flatMap { $0 }.filter { !$0.hasPrefix("fault") } == [])
        let due = trial.wait(2_000)
        #expect(due == ["append 3 to 1", "append 4 to 1"])
    }

    @Test("A piece after the last one of a file is dropped")
    mutating func afterLast() throws {
        _ = try offer()
        _ = open()
        let last = try piece(0, 10)
        #expect(last == ["finish 1"])
        let more = try piece(0, 3)
        #expect(more == [])
        #expect(trial.engine.undeliveredPackages == 1)
    }

    @Test("A whole file that could not be kept may come again at once, and one that was kept is looked for")
    mutating func keptLater() throws {
        for isKept in [false, true] {
            let offered = try offer()
            #expect(offered == ["open part 1"])
            _ = open()
            _ = try piece(0, 10)
            let keeping = arrive()
            #expect(keeping == ["keep [\"1\"]"])
            _ = trial.tell { engine, moment in
                if isKept {
                    engine.kept([.stored(replaced: nil)], at: moment)
                } else {
                    engine.notKept(reason: "full", at: moment)
                }
            }
        }
        let again = try offer()
        #expect(again == ["open part 1"])
    }

    @Test("A cancelled file is removed whether its part is being opened or written, and its pieces are dropped")
    mutating func cancelled() throws {
        _ = try offer()
        _ = try piece(0, 3)
        let opening = try cancel()
        #expect(opening == ["remove part 1"])
        #expect(trial.engine.undeliveredPackages == 0)
        let late = open()
        #expect(late == [])
        _ = try offer()
        _ = open()
        let arriving = try cancel()
        #expect(arriving == ["remove part 1"])
        let more = try piece(0, 3)
        #expect(more == [])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("A file that was arriving when its connection ended is not acknowledged on the next one")
    mutating func reconnected() throws {
        _ = try offer()
        _ = open()
        _ = try piece(0, 3)
        _ = trial.disconnect()
        _ = trial.connect()
        let written = trial.tell { $0.appended(Self.key, size: 3, held: 3, at: $1) }
        #expect(written == [])
        let more = try piece(3, 4)
        #expect(more == [])
    }

    // MARK: - Other devices

    /// Starts over with a phone that serves two watches.
    private mutating func serveAll() throws {
        var policy = CompanionPolicy()
        policy.serving = .all
        trial = try EngineTrial(policy: policy)
        _ = trial.connectOther()
    }

    @Test("A device that disconnects takes only its own files with it")
    mutating func othersFiles() throws {
        try serveAll()
        _ = try offer(1)
        _ = open()
        _ = try offer(2)
        _ = trial.tell { $0.disconnected(EngineTrial.other.identifier, reason: "gone", at: $1) }
        let arriving = try piece(0, 3)
        #expect(arriving == ["append 3 to 1"])
        let second = FileKey(device: EngineTrial.watch, transfer: EngineTrial.identifier(2))
        let opened = open(second)
        #expect(opened == ["write FileProgress"])
    }

    @Test("Each device may send four files, in whichever state they are")
    mutating func rooms() throws {
        try serveAll()
        for number: UInt8 in 1...4 { _ = try offer(number) }
        let others = try offer(5, from: EngineTrial.other)
        #expect(others == ["open part 5"])
        // One of them is being written, and one was written whole.
        _ = open()
        let second = FileKey(device: EngineTrial.watch, transfer: EngineTrial.identifier(2))
        _ = open(second)
        _ = try piece(0, 10, of: 2)
        let fifth = try offer(6)
        #expect(fifth == ["write Failed to 6"])
    }

    @Test("Progress is believed only from the device that receives the file")
    mutating func strangersProgress() throws {
        _ = trial.connectOther()
        _ = trial.queue(trial.transfer(1, .file, isFile: true))
        _ = trial.tell { $0.sourceOpened(Self.transfer, at: $1) }
        let progress = try FilePackage.progress(
            Self.transfer, offset: 0, identifier: EngineTrial.identifier(97), timestamp: Self.date)
        let stranger = trial.tell { $0.received(progress, from: EngineTrial.other, bytes: 1, at: $1) }
        #expect(stranger == [])
        let receiver = trial.tell { $0.received(progress, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(receiver.last == "read 3 pieces of 1")
    }

    // MARK: - Out

    @Test("A file is offered by the last part of its path, with its size and its metadata")
    mutating func offered() throws {
        let transfer = trial.transfer(1, .file, isFile: true)
        _ = trial.queue(transfer)
        let effects = trial.effects { $0.sourceOpened(transfer.identifier, at: $1) }
        guard case .write(let package, _, _)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        let read = try FileOffer(package)
        #expect(read == FileOffer(name: "file1", size: 300_000, metadata: Data([1])))
    }

    @Test("A file that cannot be read ends with its code for good, and without one for now")
    mutating func codes() {
        for isTemporary in [false, true] {
            let transfer = trial.transfer(isTemporary ? 2 : 1, .file, isFile: true)
            _ = trial.queue(transfer)
            _ = trial.tell {
                $0.sourceFailed(
                    transfer.identifier, isTemporary: isTemporary, .fileAccessDenied, reason: "locked", at: $1)
            }
            let deadline = trial.engine.nextDeadline
            let settled = trial.effects { engine, moment in
                engine.deadlinePassed(at: Moment(deadline ?? moment.time, moment.date))
            }
            let ending = TransferStateMachine.Ending(
                identifier: transfer.identifier, outcome: .refused(reason: "locked"),
                code: SessionErrorCode.fileAccessDenied.rawValue)
            #expect(settled.contains(.record([ending])) == !isTemporary)
            if !isTemporary { _ = trial.tell { $0.recorded(at: $1) } }
        }
    }
}
