import DeviceEngine
import Dispatch
import EventLog
import Foundation
import Glibc
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import DeviceShell

/// The reports of a device's files, as an engine takes them.
@Suite("What the files of a device report")
struct FileReportTests {
    private typealias Verb = @Sendable (inout DeviceEngine, Moment) -> Void

    /// The reasons why a queued file cannot be sent.
    enum Trouble: CaseIterable, Sendable { case missing, directory, changed }

    private static let watch = Device(identifier: UUID(), role: .companion, name: "w")
    private static let moment = Moment(MonotonicTime(nanoseconds: 0), Date(timeIntervalSince1970: 0))

    private let scratch: Scratch
    private let directory: DeviceDirectory
    private let store: SessionStore
    private let files: FileTransferStore
    private let verbs = Collector<Verb>()
    /// A phone's engine with a connected watch.
    private var engine: DeviceEngine

    init() throws {
        scratch = try Scratch()
        directory = DeviceDirectory(scratch.path("d"))
        try directory.create()
        store = SessionStore(path: directory.database)
        _ = try store.inboxCount()
        files = FileTransferStore(directory, store, logger: .silent, report: { [verbs] in verbs.add($0) })
        engine = DeviceEngine(
            PresenceStateMachine(role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: []),
            times: LinkTimes(), retry: .delivery, faults: FaultStateMachine(Chance(seed: 1)), seed: 1)
        engine.activate(at: Self.moment)
        engine.connected(Self.watch, DeviceState(), said: DeviceState(), at: Self.moment)
        engine.adopted(Self.watch.identifier, at: Self.moment)
        _ = taken()
    }

    /// Returns the effects since the last call.
    private mutating func taken() -> [DeviceEngine.Effect] {
        var effects: [DeviceEngine.Effect] = []
        _ = engine.takeEffects(into: &effects)
        return effects
    }

    /// Waits for a request, and returns the engine's effects of its reports.
    private mutating func effects(_ request: () -> Void) -> [DeviceEngine.Effect] {
        let former = verbs.all.count
        request()
        let done = DispatchSemaphore(value: 0)
        files.afterAll { done.signal() }
        done.wait()
        for verb in verbs.all.dropFirst(former) { verb(&engine, Self.moment) }
        return taken()
    }

    private static func packages(_ effects: [DeviceEngine.Effect]) -> [MessagePackage] {
        effects.compactMap { if case .write(let package, _, _) = $0 { package } else { nil } }
    }

    private static func stamp(_ path: String) -> FileStamp {
        var status = stat()
        let code = stat(path, &status)
        #expect(code == 0)
        return FileStamp(
            path: path, size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            inode: Int64(bitPattern: UInt64(status.st_ino)))
    }

    /// Has the engine send a file.
    private mutating func queue(_ file: FileStamp) -> OutgoingTransfer {
        var transfer = OutgoingTransfer(
            identifier: UUID(), peer: Self.watch.identifier, kind: .file, payload: nil, file: file,
            queuedAt: Self.moment.date)
        transfer.position = 1
        engine.queued(transfer, replacing: nil, at: Self.moment)
        let asked = taken().contains(.openSource(transfer))
        #expect(asked)
        return transfer
    }

    @Test("A queued file is offered, and read from where its receiver wants it; once it is closed, nothing is read")
    mutating func read() throws {
        let files = files
        let transfer = queue(Self.stamp(try scratch.write("f", "123456789")))
        let offered = effects { files.openSource(transfer) }
        #expect(Self.packages(offered).map(\.command) == [.transferFile])
        let progress = try FilePackage.progress(
            transfer.identifier, offset: 4, identifier: UUID(), timestamp: Self.moment.date)
        engine.received(progress, from: Self.watch, bytes: 1, at: Self.moment)
        let pieces = taken().flatMap { effect in
            if case .readPieces(_, let pieces) = effect { pieces } else { [] as [FileSendMachine.Piece] }
        }
        #expect(pieces.map(\.offset) == [4])
        let sent = effects { files.readPieces(transfer.identifier, pieces) }
        let chunks = try Self.packages(sent).map { try FilePackage.chunk(in: $0) }
        let last = FilePackage.Chunk(
            transfer: transfer.identifier, offset: 4, bytes: Data("56789".utf8),
            checksum: FileTransferStoreTests.checksum)
        #expect(chunks == [last])
        let closed = effects {
            files.closeSource(transfer.identifier)
            files.readPieces(transfer.identifier, pieces)
        }
        #expect(Self.packages(closed) == [])
    }

    @Test(
        "A file that is missing, none at all, or another one by now ends for good, with the code for it",
        arguments: Trouble.allCases)
    mutating func failed(_ trouble: Trouble) throws {
        let files = files
        let path = scratch.path("f")
        if trouble == .directory {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        if trouble == .changed { _ = try scratch.write("f", "text") }
        let stamp =
            trouble == .directory ? Self.stamp(path) : FileStamp(path: path, size: 5, modified: 2, inode: 3)
        let (code, reason): (SessionErrorCode, String) =
            switch trouble {
            case .missing: (.fileAccessDenied, "open \(path): No such file or directory")
            case .directory: (.fileAccessDenied, "\(path) is not a regular file")
            case .changed: (.deliveryFailed, "\(path) was changed or replaced after it was queued")
            }
        let transfer = queue(stamp)
        let stopped = effects { files.openSource(transfer) }
        let isClosed = stopped.contains(.closeSource(transfer.identifier))
        #expect(isClosed)
        #expect(Self.packages(stopped) == [])
        engine.deadlinePassed(at: Moment(MonotonicTime(nanoseconds: 2_000_000), Self.moment.date))
        let ending = TransferStateMachine.Ending(
            identifier: transfer.identifier, outcome: .refused(reason: reason), code: code.rawValue)
        let settled = taken()
        let isRecorded = settled.contains(.record([ending]))
        #expect(isRecorded, "\(settled)")
    }

    @Test("A file that changes while it is read ends for good")
    mutating func changedMeanwhile() throws {
        let files = files
        let path = try scratch.write("f", "123456789")
        let transfer = queue(Self.stamp(path))
        _ = effects { files.openSource(transfer) }
        let progress = try FilePackage.progress(
            transfer.identifier, offset: 0, identifier: UUID(), timestamp: Self.moment.date)
        engine.received(progress, from: Self.watch, bytes: 1, at: Self.moment)
        let pieces = taken().flatMap { effect in
            if case .readPieces(_, let pieces) = effect { pieces } else { [] as [FileSendMachine.Piece] }
        }
        let code = truncate(path, 3)
        #expect(code == 0)
        let stopped = effects { files.readPieces(transfer.identifier, pieces) }
        let isClosed = stopped.contains(.closeSource(transfer.identifier))
        #expect(isClosed)
        // The receiver has a part of it, which is of no use any more.
        #expect(Self.packages(stopped).map(\.command) == [.cancel])
    }

    @Test("A file that finds no room is put off, with the reason and without a code; it is opened when there is room")
    mutating func full() throws {
        let files = files
        let offer = FileOffer(name: "f", size: 9, metadata: nil)
        let package = MessagePackage(
            identifier: UUID(), command: .transferFile, status: .sent, dataPackage: try offer.data(),
            timestamp: Self.moment.date)
        let key = FileKey(device: Self.watch.identifier, transfer: package.identifier)
        let fault = directory.path
        for isFull in [true, false] {
            engine.received(package, from: Self.watch, bytes: 1, at: Self.moment)
            let asked = taken().contains(.openPart(key, offer, from: Self.watch.identifier))
            #expect(asked)
            if isFull { try DiskFault.full.apply(to: fault) }
            let told = effects { files.openPart(key, offer, from: key.device) }
            if isFull { try DiskFault.none.apply(to: fault) }
            let answers = Self.packages(told)
            let commands: [Command] = [isFull ? .transferFile : .fileProgress]
            #expect(answers.map(\.command) == commands)
            #expect(answers.map(\.errorCode) == [nil])
            let reason: String? = isFull ? "the file cannot be stored now: No space left on device" : nil
            #expect(answers.map(\.errorMessage) == [reason])
        }
    }
}
