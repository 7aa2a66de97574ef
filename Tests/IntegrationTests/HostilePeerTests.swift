import Configuration
import Foundation
import KeyedArchive
import LinkProtocol
import Processes
import QuizSync
import ServiceRuntime
import Testing

/// Attackers at a real host. Each attack is logged distinctly, and a companion is served meanwhile.
@Suite("Hostile peers")
struct HostilePeerTests {
    private let bench: TestBench
    private let host: BackgroundProcess
    private let companion: BackgroundProcess
    private var path: String { bench.state().linkSocket }

    init() throws {
        bench = try TestBench()
        host = try bench.start("host", config: "{ link: { helloTimeout: 0.5, silenceTimeout: 20 } }")
        companion = try bench.start("companion")
    }

    /// Checks that the attack leaves this line in the host's log, and that the companion's quizzes still arrive.
    private func expectLine(_ text: String, count: Int = 1, of other: BackgroundProcess? = nil) throws {
        let host = other ?? host
        host.expectLines(count, containing: text)
        try expectService(of: host)
    }

    private func expectService(of other: BackgroundProcess? = nil) throws {
        let host = other ?? host
        let result = try bench.watchlink(["submit", try bench.quizzes(3), "--wait"])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(!host.hasEnded)
    }

    /// Returns the growth of the host's memory since then.
    private func growth(since before: Int) throws -> Int { TestBench.isSanitized ? 0 : try residentBytes() - before }

    private func residentBytes() throws -> Int {
        let status = try JSONDecoder().decode(
            [String: JSONValue].self, from: Data(try bench.watchlink(["status", "--json"]).output.utf8))
        let process = try #require(status["host"]?["process"]?.integer)
        let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * Int(getpagesize())
    }

    @Test("A slow-loris gets no more time for its hello than other peers")
    func slowLoris() throws {
        let peer = try RawPeer(path)
        try peer.write([0, 0])
        try expectLine("hello time-out")
        try peer.readToEnd()
    }

    @Test("A flood of 2,000 connections costs only the memory of its connections, which is released")
    func flood() throws {
        let before = try residentBytes()
        let count = 2_000
        let flood = try BackgroundProcess(
            "flood", executable: TestBench.program("FloodProgram"), arguments: [path, "\(count)"], mergesOutput: true)
        flood.expectLines(containing: "open: \(count)")
        try expectService()
        // 32 KiB each: the objects of the connection and its pending hello.
        let grown = try growth(since: before)
        #expect(grown < count * 32 * 1024)
        host.expectLines(count, containing: "hello time-out")
        try expectService()
        flood.kill()
    }

    @Test(
        "Peers that announce a large first package or the largest hello, and send most of it, cost little and leave nothing",
        arguments: [LinkLimits.frameBytes, LinkLimits.helloBytes])
    func unfinishedHellos(_ announced: Int) throws {
        // None may time out while the others still send, however busy the machine is.
        host.kill()
        let host = try bench.start("host", config: "{ link: { helloTimeout: 60 } }")
        try expectService(of: host)
        let before = try residentBytes()
        let count = 1_500
        let flood = try BackgroundProcess(
            "flood", executable: TestBench.program("FloodProgram"), arguments: [path, "\(count)", "\(announced)"],
            mergesOutput: true)
        flood.expectLines(containing: "open: \(count)")
        try expectService(of: host)
        // The objects of the connections, 16 KiB each, and the pending data of all of them.
        let grown = try growth(since: before)
        #expect(grown < count * 16 * 1024 + 2 * LinkLimits.ungreetedBytes)
        let reason = announced > LinkLimits.helloBytes ? "frame too long" : "too many unfinished hellos"
        try expectLine(reason, of: host)
        flood.kill()
        try expectService(of: host)
    }

    @Test("A frame with an excessive length is refused before anything is stored")
    func oversized() throws {
        let before = try residentBytes()
        for _ in 0..<20 {
            let peer = try RawPeer(path)
            try peer.hello()
            try peer.write([0xFF, 0xFF, 0xFF, 0xFF])
            try peer.readToEnd()
        }
        try expectLine("frame too long", count: 20)
        let grown = try growth(since: before)
        #expect(grown < 16 * 1024 * 1024)
    }

    @Test("An empty frame, and a frame without an archive, end their connections")
    func undersized() throws {
        let (first, second) = (try RawPeer(path), try RawPeer(path))
        try first.write([0, 0, 0, 0])
        try second.write([0, 0, 0, 3, 1, 2, 3])
        try expectLine("empty frame")
        try expectLine("unreadable package")
    }

    @Test(
        "An invalid piece or acknowledgement ends its connection",
        arguments: [
            ([0x01, 0, 0, 13] + [0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 3] + [7], "a piece at 3 of stream 0; expected 0"),
            ([0x02, 0, 0, 17, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 13), "4294967296 bytes; expected 0 to"),
            ([0x05, 0, 0, 1, 7], "kind 5; the highest is 2"),
        ] as [([UInt8], String)])
    func badPiece(_ bytes: [UInt8], _ text: String) throws {
        let peer = try RawPeer(path)
        try peer.hello(versions: 1...2)
        // The host accepts frames of version 2 only after the hello.
        host.expectLines(containing: "peer connected device=\(peer.device.identifier)")
        try peer.write(bytes)
        try peer.readToEnd()
        try expectLine(text)
    }

    @Test("A newer peer's unknown command is answered, and the quiz after it is stored")
    func unknownCommand() throws {
        let peer = try RawPeer(path)
        try peer.hello(versions: 1...3)
        try peer.send(.unrecognized)
        try peer.send(.sendMessageData, data: Data("behind it".utf8), wantsReply: true)
        try expectLine("command=Unrecognized")
        host.expectLines(containing: "quiz refused")
    }

    @Test("A peer with another version is sent the version of this side")
    func version() throws {
        try RawPeer(path).hello(versions: 99...99)
        try expectLine("version mismatch: the peer speaks version 99, this side versions 1 to 2")
    }

    @Test("A phone cannot connect to a phone")
    func role() throws {
        try RawPeer(path, role: .host).hello()
        try expectLine("wrong role")
    }

    @Test("If a device connects twice, the later connection counts")
    func twice() throws {
        let identifier = UUID()
        let first = try RawPeer(path, identifier: identifier)
        try first.hello()
        host.expectLines(containing: "peer connected device=\(identifier)")
        let second = try RawPeer(path, identifier: identifier)
        try second.hello()
        try first.readToEnd()
        try expectLine("peer replaced device=\(identifier)")
    }

    @Test("A second hello ends the connection")
    func helloTwice() throws {
        let peer = try RawPeer(path)
        try peer.hello()
        try peer.hello()
        try peer.readToEnd()
        try expectLine("hello repeated")
    }

    @Test("A reply without a message is logged, and has no effect")
    func replyToNothing() throws {
        let peer = try RawPeer(path)
        try peer.hello()
        let nothing = UUID()
        try peer.send(.sendMessageData, answers: nothing)
        try expectLine("reply to nothing package=\(nothing)")
    }

    @Test("A quiz with a stored identifier but other content is refused, and the stored one is kept")
    func reused() throws {
        let peer = try RawPeer(path)
        try peer.hello()
        let identifier = UUID()
        for title in ["the first", "the second"] {
            let quiz = QuizData(
                identifier: identifier, title: title, takenAt: Date(timeIntervalSince1970: 1_790_000_000),
                answers: [QuizAnswer(question: "How many?", choice: "3", points: 3)], gradePointAverage: 3)
            let payload = try PropertyListValue.dictionary(["dataKey": .data(try quiz.archivedData())]).archivedData()
            try peer.send(.sendMessageData, identifier: UUID(), data: payload, wantsReply: true)
        }
        try expectLine("quiz refused package=\(identifier)")
        let titles = try bench.titles().filter { $0.hasPrefix("the ") }
        #expect(titles == ["the first"])
    }

    @Test("A file longer than announced, and one too large for the disk, are refused")
    func endlessFile() throws {
        let peer = try RawPeer(path)
        try peer.hello()
        let transfer = UUID()
        let offer = FileOffer(name: "small", size: 10, metadata: nil)
        try peer.send(.transferFile, identifier: transfer, data: try offer.data())
        let chunk = FilePackage.Chunk(transfer: transfer, offset: 0, bytes: Data(count: 11), checksum: nil)
        try peer.send(try FilePackage.chunk(chunk, identifier: UUID(), timestamp: Date()))
        try expectLine("more than the announced 10 bytes")
        let endless = FileOffer(name: "endless", size: Int64.max / 2, metadata: nil)
        let tooLarge = UUID()
        try peer.send(.transferFile, identifier: tooLarge, data: try endless.data())
        try expectLine("file system failed")
        // A file that can never fit is not resumed.
        let parts = try FileManager.default.contentsOfDirectory(atPath: bench.state().device(of: "host") + "/partial")
        #expect(!parts.contains { $0.hasSuffix(tooLarge.uuidString) }, "\(parts)")
    }

    @Test("A peer that never reads its answers is disconnected when their queue is full")
    func neverReads() throws {
        let before = try residentBytes()
        let peer = try RawPeer(path)
        try peer.hello()
        // A message without a delegate method is answered by an error text, and many of them fill any queue. The test
        // writes until the connection ends.
        while (try? peer.send(.sendMessage, data: Data(), wantsReply: true)) != nil {}
        try expectLine("peer misbehaved device=\(peer.device.identifier) reason=\"the peer stopped reading\"")
        // The queue of each peer is bounded, and so is the amount a peer may send before it is handled.
        let grown = try growth(since: before)
        #expect(grown < 4 * LinkLimits.queuedBytes + LinkLimits.undeliveredBytes)
    }
}
