import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's files")
struct EngineFileTests {
    private var trial: EngineTrial
    private static let key = FileKey(device: EngineTrial.watch, transfer: EngineTrial.identifier(1))

    init() throws { trial = try EngineTrial() }

    private mutating func offer(_ number: UInt8, size: Int64 = 10) throws -> [String] {
        let package = MessagePackage(
            identifier: EngineTrial.identifier(number), command: .transferFile, status: .sent,
            dataPackage: try FileOffer(name: "f", size: size, metadata: nil).data(), timestamp: Date())
        return trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
    }

    private mutating func piece(_ offset: Int64, _ count: Int, isLast: Bool) -> [String] {
        let chunk = FilePackage.Chunk(
            transfer: EngineTrial.identifier(1), offset: offset, bytes: Data(count: count), checksum: isLast ? 0 : nil)
        let package = MessagePackage(
            identifier: EngineTrial.identifier(98), command: .fileChunk, status: .sent, timestamp: Date())
        return trial.tell { $0.received(package, chunk, from: EngineTrial.device, bytes: count, at: $1) }
    }

    // MARK: - Out

    @Test("A file is opened, offered, and read from where its receiver wants it")
    mutating func sent() throws {
        #expect(trial.queue(trial.transfer(1, .file, isFile: true)) == ["open source 1"])
        #expect(trial.tell { $0.sourceOpened(EngineTrial.identifier(1), at: $1) } == ["write TransferFile 1"])
        let progress = try FilePackage.progress(
            EngineTrial.identifier(1), offset: 100_000, identifier: EngineTrial.identifier(97), timestamp: Date())
        let effects = trial.tell { $0.received(progress, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(effects.count == 2, "\(effects)")
        #expect(effects.last?.hasPrefix("read ") == true, "\(effects)")
        #expect(trial.logged.contains("file resumed"))
    }

    @Test("A piece that was read for a connection that is gone is not written")
    mutating func stalePiece() {
        let transfer = trial.transfer(1, .file, isFile: true)
        _ = trial.queue(transfer)
        _ = trial.tell { $0.sourceOpened(transfer.identifier, at: $1) }
        _ = trial.disconnect()
        _ = trial.connect()
        let package = MessagePackage(
            identifier: EngineTrial.identifier(98), command: .fileChunk, status: .sent, timestamp: Date())
        #expect(trial.tell { $0.pieceRead(transfer.identifier, package, at: $1) } == [])
    }

    @Test("A file that cannot be read any more ends with its code, and its receiver is told")
    mutating func unreadable() {
        let transfer = trial.transfer(1, .file, isFile: true)
        _ = trial.queue(transfer)
        _ = trial.tell { $0.sourceOpened(transfer.identifier, at: $1) }
        #expect(
            trial.tell {
                $0.sourceFailed(transfer.identifier, isTemporary: false, .deliveryFailed, reason: "changed", at: $1)
            } == ["close source 1", "write Cancel"])
        #expect(trial.wait(2) == ["record [\"1\"]"])
    }

    @Test("Progress of a former offer is no failure: the file is offered again, and its receiver keeps what it has")
    mutating func staleProgress() throws {
        func progress(_ offset: Int64) throws -> MessagePackage {
            try FilePackage.progress(
                EngineTrial.identifier(1), offset: offset, identifier: EngineTrial.identifier(97), timestamp: Date())
        }
        let transfer = trial.transfer(1, .file, isFile: true)
        _ = trial.queue(transfer)
        _ = trial.tell { $0.sourceOpened(transfer.identifier, at: $1) }
        let (first, stale) = (try progress(200_000), try progress(100_000))
        _ = trial.tell { $0.received(first, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(trial.tell { $0.received(stale, from: EngineTrial.device, bytes: 1, at: $1) } == ["close source 1"])
        #expect(trial.logged.contains("transfer retry scheduled"))
        #expect(trial.waitOn() == ["load [\"1\"], batch 0"])
        #expect(trial.engine.pendingTransfers == 1)
    }

    // MARK: - In

    @Test("A file is asked for from where its part ends, piece by piece, and kept when it is whole")
    mutating func received() throws {
        let opened = try offer(1)
        #expect(opened == ["open part 1"])
        #expect(trial.tell { $0.partOpened(Self.key, size: 4, at: $1) } == ["write FileProgress"])
        #expect(piece(4, 3, isLast: false) == ["append 3 to 1"])
        #expect(trial.tell { $0.appended(Self.key, size: 7, held: 3, at: $1) } == ["write FileProgress"])
        #expect(piece(7, 3, isLast: true) == ["finish 1"])
        #expect(
            trial.tell { $0.fileArrived(Self.key, path: "/inbox/f", held: 3, at: $1) } == ["keep [\"1\"]"])
        #expect(
            trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }.first == "write Replied to 1")
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("A piece that leaves a gap ends the try; what is here stays")
    mutating func gap() throws {
        _ = try offer(1)
        _ = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
        let effects = piece(5, 3, isLast: false)
        #expect(effects.count == 3, "\(effects)")
        #expect(effects.first?.hasPrefix("misbehaved") == true, "\(effects)")
        #expect(effects.dropFirst() == ["close part 1", "write Failed to 1"])
        #expect(piece(0, 3, isLast: false) == [])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("A watch may send four files at once, and is told to come later with the fifth")
    mutating func bound() throws {
        for number: UInt8 in 1...4 {
            let opened = try offer(number)
            #expect(opened == ["open part \(number)"])
        }
        let fifth = try offer(5)
        #expect(fifth == ["write Failed to 5"])
        // The same file once more takes no place of its own.
        let again = try offer(4)
        #expect(again == ["open part 4"])
    }

    @Test("What can never be kept is refused and removed; what may be kept later stays")
    mutating func failed() throws {
        _ = try offer(1)
        #expect(
            trial.tell { $0.partFailed(Self.key, .refused(.insufficientSpace, reason: "full"), at: $1) }
                == ["remove part 1", "write Failed to 1"])
        _ = try offer(1)
        #expect(
            trial.tell { $0.partFailed(Self.key, .later("full"), at: $1) } == ["close part 1", "write Failed to 1"])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("A file that is taken back while its last piece is being written is removed")
    mutating func cancelled() throws {
        _ = try offer(1)
        _ = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
        _ = piece(0, 10, isLast: true)
        let cancel = try FilePackage.cancel(
            EngineTrial.identifier(1), identifier: EngineTrial.identifier(96), timestamp: Date())
        #expect(
            trial.tell { $0.received(cancel, from: EngineTrial.device, bytes: 1, at: $1) } == ["remove part 1"])
        #expect(
            trial.tell { $0.fileArrived(Self.key, path: "/inbox/f", held: 10, at: $1) }
                == ["removeFile(path: \"/inbox/f\")"])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("An offer that is none is refused")
    mutating func noOffer() {
        let package = MessagePackage(
            identifier: EngineTrial.identifier(1), command: .transferFile, status: .sent, dataPackage: Data([1, 2]),
            timestamp: Date())
        let effects = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(effects == ["remove part 1", "write Failed to 1"])
    }

    // MARK: - What comes twice, too late, or for nothing

    private mutating func opened(_ number: UInt8 = 1) -> [String] {
        trial.tell { $0.sourceOpened(EngineTrial.identifier(number), at: $1) }
    }

    private mutating func progress(_ offset: Int64) throws -> [String] {
        let package = try FilePackage.progress(
            EngineTrial.identifier(1), offset: offset, identifier: EngineTrial.identifier(97), timestamp: Date())
        return trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
    }

    @Test("A file whose metadata fits into no offer ends for good")
    mutating func hugeMetadata() {
        let transfer = OutgoingTransfer(
            identifier: EngineTrial.identifier(1), peer: EngineTrial.watch, kind: .file,
            payload: Data(count: 64 * 1024 * 1024 + 1),
            file: FileStamp(path: "/a/f", size: 1, modified: 0, inode: 0), queuedAt: Date())
        #expect(trial.queue(transfer) == ["open source 1"])
        let effects = opened()
        #expect(effects.first == "close source 1", "\(effects)")
        #expect(trial.wait(2) == ["record [\"1\"]"])
        #expect(!trial.logged.contains("transfer retry scheduled"))
    }

    @Test("A file is offered once, and nothing is made of one that nobody sends")
    mutating func openedTwice() {
        _ = trial.queue(trial.transfer(1, .file, isFile: true))
        #expect(opened(2) == [])
        #expect(opened() == ["write TransferFile 1"])
        #expect(opened() == [])
        #expect(
            trial.tell {
                $0.sourceFailed(EngineTrial.identifier(2), isTemporary: false, .deliveryFailed, reason: "gone", at: $1)
            } == [])
    }

    @Test("Of a file that was not offered its receiver is told nothing; one that is away for now is tried again")
    mutating func unopened() {
        _ = trial.queue(trial.transfer(1, .file, isFile: true))
        #expect(
            trial.tell {
                $0.sourceFailed(EngineTrial.identifier(1), isTemporary: true, .deliveryFailed, reason: "away", at: $1)
            } == ["close source 1"])
        #expect(trial.wait(2) == [])
        #expect(trial.logged.contains("transfer retry scheduled"))
        #expect(trial.engine.pendingTransfers == 1)
    }

    @Test("Pieces are written once the file was offered, and not before or for another one")
    mutating func pieces() {
        _ = trial.queue(trial.transfer(1, .file, isFile: true))
        let package = MessagePackage(
            identifier: EngineTrial.identifier(98), command: .fileChunk, status: .sent, timestamp: Date())
        #expect(trial.tell { $0.pieceRead(EngineTrial.identifier(1), package, at: $1) } == [])
        _ = opened()
        #expect(trial.tell { $0.pieceRead(EngineTrial.identifier(2), package, at: $1) } == [])
        let written = trial.tell { $0.pieceRead(EngineTrial.identifier(1), package, at: $1) }
        #expect(written.count == 1)
        #expect(written.first?.hasPrefix("write ") == true, "\(written)")
    }

    @Test("A file that its receiver has nothing of is not resumed, and neither is one that goes on")
    mutating func notResumed() throws {
        _ = trial.queue(trial.transfer(1, .file, isFile: true))
        _ = opened()
        let first = try progress(0)
        #expect(first.count == 2, "\(first)")
        #expect(first.last == "read 3 pieces of 1")
        let second = try progress(100_000)
        #expect(second.count == 1, "\(second)")
        #expect(!trial.logged.contains("file resumed"))
    }

    @Test("A whole file that is offered again while it is being kept is answered once")
    mutating func offeredAgain() throws {
        _ = try offer(1)
        _ = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
        #expect(piece(0, 10, isLast: true) == ["finish 1"])
        let again = try offer(1)
        #expect(again == [])
        #expect(trial.engine.undeliveredPackages == 1)
        _ = trial.tell { $0.fileArrived(Self.key, path: "/inbox/f", held: 10, at: $1) }
        let effects = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        #expect(effects.filter { $0.hasPrefix("write") } == ["write Replied to 1"])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("A file that arrived earlier is answered when its part is looked for, with the pieces that came meanwhile")
    mutating func known() throws {
        _ = try offer(1)
        #expect(piece(0, 3, isLast: false) == [])
        #expect(trial.engine.undeliveredPackages == 2)
        #expect(trial.tell { $0.partKnown(Self.key, at: $1) } == ["write Replied to 1"])
        #expect(trial.engine.undeliveredPackages == 0)
        #expect(trial.tell { $0.partKnown(Self.key, at: $1) } == [])
        #expect(trial.tell { $0.partOpened(Self.key, size: 0, at: $1) } == [])
    }

    @Test("Pieces that come before the part is open are written when it is, in their order")
    mutating func early() throws {
        _ = try offer(1)
        #expect(piece(0, 3, isLast: false) == [])
        #expect(piece(3, 4, isLast: false) == [])
        let effects = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
        #expect(effects.dropFirst() == ["append 3 to 1", "append 4 to 1"], "\(effects)")
        _ = trial.tell { $0.appended(Self.key, size: 3, held: 3, at: $1) }
        _ = trial.tell { $0.appended(Self.key, size: 7, held: 4, at: $1) }
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("A piece that nobody waits for is handled, and its sender not told")
    mutating func stray() {
        #expect(piece(0, 3, isLast: false) == [])
        #expect(trial.engine.undeliveredPackages == 0)
        #expect(trial.tell { $0.appended(Self.key, size: 3, held: 3, at: $1) } == [])
        #expect(trial.tell { $0.partFailed(Self.key, .later("full"), held: 3, at: $1) } == [])
        #expect(trial.tell { $0.partFailed(Self.key, .later("full"), at: $1) } == [])
        #expect(trial.tell { $0.partDamaged(Self.key, held: 3, at: $1) } == [])
    }

    @Test("A damaged file is asked for again, once")
    mutating func damaged() throws {
        _ = try offer(1)
        _ = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
        _ = piece(0, 10, isLast: true)
        #expect(trial.tell { $0.partDamaged(Self.key, held: 10, at: $1) } == ["write Failed to 1"])
        #expect(trial.logged.contains("file damaged"))
        #expect(trial.engine.undeliveredPackages == 0)
        let again = try offer(1)
        #expect(again == ["open part 1"])
    }

    @Test("A piece that cannot be written, also the last one, ends the try; what may be kept later stays")
    mutating func unwritten() throws {
        for isLast in [false, true] {
            _ = try offer(1)
            _ = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
            _ = piece(0, isLast ? 10 : 3, isLast: isLast)
            #expect(
                trial.tell { $0.partFailed(Self.key, .later("full"), held: 3, at: $1) }
                    == ["close part 1", "write Failed to 1"])
            #expect(trial.engine.undeliveredPackages == 0)
        }
    }

    @Test("A whole file outlives its connection, and a part of one does not")
    mutating func disconnected() throws {
        _ = try offer(1)
        _ = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
        _ = piece(0, 10, isLast: true)
        _ = try offer(2)
        let effects = trial.disconnect()
        #expect(effects.contains("close parts"), "\(effects)")
        let other = FileKey(device: EngineTrial.watch, transfer: EngineTrial.identifier(2))
        #expect(trial.tell { $0.partOpened(other, size: 0, at: $1) } == [])
        #expect(trial.tell { $0.fileArrived(Self.key, path: "/inbox/f", held: 10, at: $1) } == ["keep [\"1\"]"])
    }

    @Test("A whole file that cannot be kept is removed, and its sender comes later")
    mutating func unkept() throws {
        _ = try offer(1)
        _ = trial.tell { $0.partOpened(Self.key, size: 0, at: $1) }
        _ = piece(0, 10, isLast: true)
        _ = trial.tell { $0.fileArrived(Self.key, path: "/inbox/f", held: 10, at: $1) }
        #expect(
            trial.tell { $0.notKept(reason: "full", at: $1) }
                == ["removeFile(path: \"/inbox/f\")", "write Failed to 1"])
    }
}
