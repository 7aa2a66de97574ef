import Foundation
import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("Transfer queues")
struct TransferQueuesTests {
    static func entry(_ position: Int64, isUrgent: Bool = false) -> TransferQueues.Entry {
        TransferQueues.Entry(identifier: UUID(), position: position, isUrgent: isUrgent)
    }

    static func queues() -> TransferQueues {
        TransferQueues(
            backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(1)), patience: .seconds(60))
    }

    @Test("Each kind has its own order; files and contexts are sent one at a time")
    func kinds() {
        var queues = Self.queues()
        let infos = (0..<3).map { Self.entry($0) }
        let (contexts, files) = ((3..<5).map { Self.entry($0) }, (5..<7).map { Self.entry($0) })
        for entry in infos { queues.inserted(entry, .userInfo) }
        for entry in contexts { queues.inserted(entry, .context) }
        for entry in files { queues.inserted(entry, .file) }
        #expect(queues.transmit(at: at(0)) == [])
        _ = queues.availabilityChanged(true)
        #expect(queues.transmit(at: at(0)).map(\.identifier) == (infos + [contexts[0], files[0]]).map(\.identifier))
        _ = queues.settled(files[0].identifier, .file, .replied, at: at(0), jitter: 1)
        #expect(queues.transmit(at: at(0)).map(\.identifier) == [files[1].identifier])
        #expect(queues.pendingCount == 6)
    }

    @Test("The complication's transfer precedes waiting ones, and returns to its place when it is no longer current")
    func urgent() {
        var queues = Self.queues()
        let entries = [Self.entry(1), Self.entry(2, isUrgent: true), Self.entry(3, isUrgent: true), Self.entry(4)]
        for entry in entries { queues.inserted(entry, entry.isUrgent ? .complication : .userInfo) }
        queues.demoted(entries[1].identifier)
        _ = queues.availabilityChanged(true)
        #expect(queues.transmit(at: at(0)).map(\.position) == [3, 1, 2, 4])
    }

    @Test("Transfers in flight when the counterpart disconnects wait again, in order")
    func interrupted() {
        var queues = Self.queues()
        for position in 0..<5 { queues.inserted(Self.entry(Int64(position)), .userInfo) }
        _ = queues.availabilityChanged(true)
        let sent = queues.transmit(at: at(0))
        _ = queues.settled(sent[1].identifier, .userInfo, .replied, at: at(0), jitter: 1)
        #expect(queues.availabilityChanged(false).map(\.position) == [0, 2, 3, 4])
        #expect(queues.transmit(at: at(0)) == [])
        #expect(queues.nextDeadline == nil)
        _ = queues.availabilityChanged(true)
        #expect(queues.transmit(at: at(0)).map(\.position) == [0, 2, 3, 4])
    }

    @Test("A cancelled transfer is removed, waiting or in flight; a second cancellation finds nothing")
    func cancelled() {
        var queues = Self.queues()
        let entries = (0..<3).map { Self.entry($0) }
        for entry in entries { queues.inserted(entry, .file) }
        _ = queues.availabilityChanged(true)
        _ = queues.transmit(at: at(0))
        #expect(queues.isUnderWay(entries[0].identifier, .file))
        #expect(queues.cancelled(entries[0].identifier, .file, at: at(0), jitter: 1) == true)
        #expect(queues.cancelled(entries[1].identifier, .file, at: at(0), jitter: 1) == true)
        #expect(queues.cancelled(entries[1].identifier, .file, at: at(0), jitter: 1) == false)
        #expect(queues.transmit(at: at(0)).map(\.position) == [2])
        #expect(queues.settled(entries[0].identifier, .file, .replied, at: at(0), jitter: 1) == .ignore)
    }
}

@Suite("Files on the link")
struct FileMachineTests {
    /// Sends a file from one machine to the other and returns the offsets of its pieces.
    static func travel(size: Int64, from offset: Int64 = 0) throws -> [Int64] {
        var sender = FileSendMachine(size: size)
        var receiver = FileReceiveMachine(size: size, received: offset)
        var offsets: [Int64] = []
        var waiting = try sender.progressed(to: offset)
        while !waiting.isEmpty {
            #expect(waiting.count <= LinkLimits.fileChunks)
            let piece = waiting.removeFirst()
            offsets.append(piece.offset)
            let chunk = FilePackage.Chunk(
                transfer: UUID(), offset: piece.offset, bytes: Data(count: piece.count),
                checksum: piece.isLast ? 7 : nil)
            switch try receiver.received(chunk) {
            case .write: waiting += try sender.progressed(to: receiver.received)
            case .finish(let checksum):
                #expect(checksum == 7)
                #expect(waiting.isEmpty)
            }
        }
        #expect(receiver.received == size)
        return offsets
    }

    @Test("Files are sent whole, empty, in one piece, in many, and from the middle")
    func travels() throws {
        let chunk = Int64(LinkLimits.fileChunkBytes)
        let small = try [0, 1, chunk].map { try Self.travel(size: $0) }
        #expect(small == [[0], [0], [0]])
        let many = try Self.travel(size: chunk * 20 + 1).count
        #expect(many == 21)
        let middle = try Self.travel(size: chunk * 20, from: chunk * 18 + 5)
        #expect(middle == [chunk * 18 + 5, chunk * 19 + 5])
        let end = try Self.travel(size: 10, from: 10)
        #expect(end == [10])
    }

    @Test("A receiver refuses gaps, repeats, bytes beyond the end, and an end without a checksum")
    func refusals() throws {
        func chunk(_ offset: Int64, _ count: Int, _ checksum: UInt32? = nil) -> FilePackage.Chunk {
            FilePackage.Chunk(transfer: UUID(), offset: offset, bytes: Data(count: count), checksum: checksum)
        }
        for bad in [chunk(1, 1), chunk(0, 11), chunk(0, 10), chunk(0, 0), chunk(0, 5, 1)] {
            var machine = FileReceiveMachine(size: 10, received: 0)
            #expect(throws: ProtocolError.self) { try machine.received(bad) }
        }
    }

    @Test("A sender refuses an offset that it has not sent")
    func offsets() throws {
        var machine = FileSendMachine(size: 1_000_000)
        #expect(throws: ProtocolError.self) { try machine.progressed(to: 1_000_001) }
        _ = try machine.progressed(to: 500_000)
        #expect(throws: ProtocolError.self) { try machine.progressed(to: 499_999) }
    }

    @Test("Packages about files survive the wire; a name that leads outside the inbox does not")
    func packages() throws {
        let chunk = FilePackage.Chunk(transfer: UUID(), offset: 5, bytes: Data([1, 2]), checksum: .max)
        let package = try FilePackage.chunk(chunk, identifier: UUID(), timestamp: Date())
        let read = try FilePackage.chunk(in: package)
        #expect(read == chunk)
        let progress = try FilePackage.progress(chunk.transfer, offset: 9, identifier: UUID(), timestamp: Date())
        let offset = try FilePackage.progress(in: progress).offset
        #expect(offset == 9)
        #expect(throws: ProtocolError.self) { try FilePackage.chunk(in: progress) }
        func offer(_ name: String, size: Int64 = 1) throws -> FileOffer {
            let data = try FileOffer(name: name, size: size, metadata: Data([1])).data()
            return try FileOffer(
                MessagePackage(
                    identifier: UUID(), command: .transferFile, status: .sent, dataPackage: data, timestamp: Date()))
        }
        let umlauts = try offer("Grüße.txt").name
        #expect(umlauts == "Grüße.txt")
        // An accent makes another character of a slash or a NUL, but not another byte.
        for name in ["../\u{301}x", "a\0\u{301}"] {
            #expect(throws: ProtocolError.self, "\(name)") { try offer(name) }
        }
        for name in ["", ".", "..", "a/b", "/etc/passwd", "../x", "a\0b", String(repeating: "x", count: 256)] {
            #expect(throws: ProtocolError.self) { try offer(name) }
        }
        #expect(throws: ProtocolError.self) { try offer("a", size: -1) }
    }

    @Test("A piece of a file has at most 128 KiB, and no offset is negative")
    func chunkLimits() throws {
        let most = LinkLimits.fileChunkBytes
        let cases: [(Int64, Int, Bool)] = [(0, most, true), (0, most + 1, false), (0, 0, true), (-1, 1, false)]
        for (offset, count, isRead) in cases {
            let chunk = FilePackage.Chunk(transfer: UUID(), offset: offset, bytes: Data(count: count), checksum: nil)
            let package = try FilePackage.chunk(chunk, identifier: UUID(), timestamp: Date())
            if isRead {
                let read = try FilePackage.chunk(in: package)
                #expect(read == chunk, "\(count) bytes at \(offset)")
            } else {
                let error = #expect(throws: ProtocolError.self) { try FilePackage.chunk(in: package) }
                #expect(error?.code == .badFile, "\(count) bytes at \(offset)")
            }
        }
        for offset in [0, -1] as [Int64] {
            let package = try FilePackage.progress(UUID(), offset: offset, identifier: UUID(), timestamp: Date())
            let read = try? FilePackage.progress(in: package).offset
            let expected: Int64? = offset < 0 ? nil : offset
            #expect(read == expected)
        }
    }

    @Test("A file may be empty, and its name have 255 bytes, or dots that lead nowhere")
    func offered() throws {
        for name in [String(repeating: "x", count: 255), "...", "..a", ".x", "a b"] {
            let offer = FileOffer(name: name, size: 0, metadata: nil)
            let package = MessagePackage(
                identifier: UUID(), command: .transferFile, status: .sent, dataPackage: try offer.data(),
                timestamp: Date())
            let read = try FileOffer(package)
            #expect(read == offer)
        }
    }
}
