import Cassettes
import Foundation
import Locking
import Processes
import Testing
import WatchLinkTesting

@Suite("Recordings of a pair", .serialized)
struct PairRecordingTests {
    private let scratch: ScratchDirectory
    private let phoneApp = RecordingDelegate { message in ["total": 3, "echo": message["name"] ?? ""] }
    private let watchApp = RecordingDelegate()
    private var folder: URL { scratch.url.appending(path: "cassette") }

    init() throws { scratch = try ScratchDirectory() }

    private static func kinds(_ cassette: Cassette, _ package: Int?, _ side: String) -> [String] {
        cassette.events.filter { $0.package == package && $0.side == side }.map(\.kind)
    }

    private func recorded(_ play: (SimulatedPair) async throws -> Void) async throws -> Cassette {
        let pair = try SimulatedPair()
        let recording = try pair.record(to: folder)
        try await pair.start(phone: phoneApp, watch: watchApp)
        try await play(pair)
        await pair.watch.stop()
        await pair.phone.stop()
        let summary = recording.finish()
        #expect(summary.reason == nil && summary.lost == 0, "\(summary)")
        let cassette = try Cassette(at: folder.path(percentEncoded: false))
        #expect(cassette.manifest.state == .complete)
        #expect(cassette.events.count == summary.events)
        return cassette
    }

    @Test("A message is recorded at both apps and on the wire, each event with its cause")
    func message() async throws {
        let cassette = try await recorded { pair in
            let total = Mutex<Int?>(nil)
            pair.watch.session.sendMessage(["name": "Anna"]) { reply in total.withLock { $0 = reply["total"] as? Int } }
            try await pair.waitUntil("the reply is there") { total.withLock { $0 } == 3 }
        }
        let call = try #require(cassette.events.first { $0.kind == "sendMessage" })
        #expect(call.side == "watch" && call.wantsReply == 1 && call.cause == nil)
        let course = cassette.events.filter { $0.package == call.package }
        #expect(
            course.map { "\($0.side) \($0.kind)" } == [
                "watch sendMessage", "watch write", "phone read", "phone didReceiveMessageWithReply", "phone reply",
                "phone write", "watch read", "watch replyHandler",
            ])
        #expect(course.dropFirst().map(\.cause) == course.dropLast().map { Optional($0.sequence) })
        // The same content at every place that it passes, and the same value in the question and in the answer.
        #expect(Set(course[0...3].map(\.content)).count == 1)
        #expect(Set(course[4...7].map(\.content)).count == 1)
        let (question, answer) = try (
            #require(course[0].content.flatMap { cassette.contents[$0]?.value }),
            #require(course[4].content.flatMap { cassette.contents[$0]?.value })
        )
        guard case .entries(let asked) = question, case .entries(let told) = answer else {
            Issue.record("\(question.text) \(answer.text)")
            return
        }
        #expect(asked["name"] == told["echo"])
        #expect(cassette.schema.messages["watch sendMessage"]?.paths["name"] != nil)
        #expect(cassette.schema.messages["phone reply"]?.paths["total"]?.types == ["integer below 16": 1])
    }

    @Test("A refused call, an action on the device and an activation are recorded; a context's error has its code")
    func troubles() async throws {
        let cassette = try await recorded { pair in
            pair.watch.simulator.apply(.wristDown)
            try pair.watch.simulator.apply(.add(FaultRule(words: ["drop", "message"])))
            try pair.watch.simulator.clearFaults()
            #expect(throws: WCError.self) {
                try pair.watch.session.updateApplicationContext(["x": Data(count: 1_000_000)])
            }
        }
        let refused = try #require(cassette.events.first { $0.kind == "refused" })
        #expect(refused.error == WCError.payloadTooLarge.rawValue)
        let actions = cassette.events.filter { ["device", "faults"].contains($0.kind) }
        #expect(actions.map { $0.words ?? "" } == ["wrist-down", "drop out message", "clear"])
        let activation = try #require(
            cassette.events.first { $0.side == "watch" && $0.kind == "activationDidComplete" })
        #expect(activation.words == "activated")
        #expect(cassette.events.contains { $0.kind == "reachabilityDidChange" && $0.words == "reachable" })
    }

    @Test("A pair is recorded once at a time, and into a new directory only")
    func busy() throws {
        let pair = try SimulatedPair()
        let recording = try pair.record(to: folder)
        #expect(throws: PairRecording.Busy.self) { try pair.record(to: scratch.url.appending(path: "other")) }
        recording.finish()
        #expect(throws: CassetteError.self) { try pair.record(to: folder) }
        let next = try pair.record(to: scratch.url.appending(path: "next"))
        #expect(next.finish().reason == nil)
    }

    @Test("A recording that is released is complete")
    func released() throws {
        let pair = try SimulatedPair()
        _ = try pair.record(to: folder)
        #expect(try Cassette(at: folder.path(percentEncoded: false)).manifest.state == .complete)
    }
}
