import Foundation
import KeyedArchive
import Testing

@testable import Cassettes

@Suite("The rules of a recording")
struct RecordingMachineTests {
    private static func machine() -> RecordingMachine {
        let rules = RedactionRules()
        let manifest = CassetteManifest(
            sides: ["phone", "watch"], program: "App", started: Date(timeIntervalSince1970: 0), seed: 1, rules: rules)
        return RecordingMachine(manifest, redactor: Redactor(rules, hash: KeyedHash(key: [7])), start: 1_000)
    }

    private static func seen(
        _ side: String, _ kind: String, _ stage: Observation.Stage, _ package: UUID? = nil, thread: UInt = 0,
        _ payload: Payload? = nil, isInCall: Bool = false
    ) -> Observation {
        var observation = Observation(side: side, time: 3_500_000, thread: thread, kind: kind, stage: stage)
        observation.package = package
        observation.payload = payload
        observation.isInCall = isInCall
        return observation
    }

    private static func event(_ machine: inout RecordingMachine, _ observation: Observation) throws -> CassetteEvent {
        let line = try #require(machine.take(observation).event)
        return try JSONDecoder().decode(CassetteEvent.self, from: Data(line.utf8))
    }

    @Test("A message's events are caused by each other, on both sides")
    func causes() throws {
        var machine = Self.machine()
        let message = UUID()
        let course: [(String, String, Observation.Stage)] = [
            ("watch", "sendMessage", .call), ("watch", "write", .written), ("phone", "read", .read),
            ("phone", "didReceiveMessageWithReply", .delivered), ("phone", "reply", .answered),
            ("phone", "write", .answerWritten), ("watch", "read", .answerRead), ("watch", "replyHandler", .ended),
        ]
        let events = try course.map { try Self.event(&machine, Self.seen($0, $1, $2, message)) }
        #expect(events.map(\.cause) == [nil, 1, 2, 3, 4, 5, 6, 7])
        #expect(events.allSatisfy { $0.package == 1 })
        #expect(events.map(\.sequence) == Array(1...8))
        #expect(events.allSatisfy { $0.time == 3_499 })
    }

    @Test("A delegate that is called after the acknowledgement is caused by the package, not by the acknowledgement")
    func lateDelivery() throws {
        var machine = Self.machine()
        let transfer = UUID()
        let course: [(String, Observation.Stage)] = [
            ("watch", .call), ("watch", .written), ("phone", .read), ("phone", .answerWritten), ("watch", .answerRead),
            ("watch", .ended), ("phone", .delivered),
        ]
        let causes = try course.map { try Self.event(&machine, Self.seen($0, "x", $1, transfer)).cause }
        #expect(causes == [nil, 1, 2, 3, 4, 5, 3])
    }

    @Test("What an app does in a call of its code is caused by the latest call of that device, and nothing else is")
    func callsWithinCalls() throws {
        var machine = Self.machine()
        func call(_ side: String, isInCall: Bool = true, thread: UInt = 9) throws -> CassetteEvent {
            try Self.event(
                &machine, Self.seen(side, "sendMessage", .call, UUID(), thread: thread, isInCall: isInCall))
        }
        let first = try Self.event(&machine, Self.seen("phone", "reachabilityDidChange", .notified, thread: 9))
        let inFirst = [try call("phone"), try call("phone")]
        let outside = [try call("phone", isInCall: false, thread: 8), try call("watch")]
        let second = try Self.event(&machine, Self.seen("phone", "didReceiveMessage", .delivered, UUID(), thread: 9))
        let other = try Self.event(&machine, Self.seen("watch", "replyHandler", .ended, UUID(), thread: 9))
        let inSecond = [try call("phone"), try call("watch")]
        #expect(inFirst.map(\.cause) == [first.sequence, first.sequence], "\(inFirst.map(\.cause))")
        #expect(outside.map(\.cause) == [nil, nil], "\(outside.map(\.cause))")
        #expect(inSecond.map(\.cause) == [second.sequence, other.sequence], "\(inSecond.map(\.cause))")
        #expect([first.thread, outside[0].thread, second.thread] == [1, 2, 1])
    }

    @Test("An answer in a call of the app's code is caused by it, and one outside by the delivery of its message")
    func answersWithinCalls() throws {
        var machine = Self.machine()
        let (first, second) = (UUID(), UUID())
        let deliveries = try [first, second].map {
            try Self.event(&machine, Self.seen("phone", "didReceiveMessageWithReply", .delivered, $0))
        }
        let answers = try [true, false].map {
            try Self.event(&machine, Self.seen("phone", "reply", .answered, first, isInCall: $0))
        }
        #expect(answers.map(\.cause) == [deliveries[1].sequence, deliveries[0].sequence], "\(answers.map(\.cause))")
    }

    @Test("After a loss no call is taken for a cause: a later one may be among what was lost")
    func lostCall() throws {
        var machine = Self.machine()
        _ = machine.take(Self.seen("phone", "didReceiveMessage", .notified))
        machine.lose(1, "the disk was slower than the events")
        let later = try Self.event(&machine, Self.seen("phone", "sendMessage", .call, UUID(), isInCall: true))
        #expect(later.cause == nil)
        let call = try Self.event(&machine, Self.seen("phone", "didReceiveMessage", .notified))
        let inner = try Self.event(&machine, Self.seen("phone", "sendMessage", .call, UUID(), isInCall: true))
        #expect(inner.cause == call.sequence)
    }

    @Test("Messages whose events alternate have numbers and causes of their own")
    func alternating() throws {
        var machine = Self.machine()
        let (first, second) = (UUID(), UUID())
        let course: [(UUID, Observation.Stage)] = [
            (first, .call), (second, .call), (first, .written), (second, .written), (second, .answerRead),
            (first, .answerRead), (second, .ended), (first, .ended),
        ]
        let events = try course.map { try Self.event(&machine, Self.seen("watch", "x", $1, $0)) }
        #expect(events.map(\.package) == [1, 2, 1, 2, 2, 1, 2, 1])
        #expect(events.map(\.cause) == [nil, nil, 1, 2, 4, 3, 5, 6])
    }

    @Test("No event is earlier than the one before, whichever clock it was told by")
    func times() throws {
        var machine = Self.machine()
        let times = try [5_000, 9_000, 8_000, 0, 9_999, 12_000].map { (time: Int64) in
            var observation = Self.seen("phone", "x", .other)
            observation.time = time
            return try Self.event(&machine, observation).time
        }
        #expect(times == [4, 8, 8, 8, 8, 11])
    }

    @Test("Each different content is there once, under the hash of its own line")
    func contents() throws {
        var machine = Self.machine()
        let (first, second) = (Payload.bytes(Data("Anna".utf8)), Payload.bytes(Data("Anne".utf8)))
        let lines = [first, second, first].map {
            machine.take(Self.seen("phone", "sendMessageData", .call, UUID(), $0))
        }
        #expect(lines.map { $0.content != nil } == [true, true, false])
        #expect(machine.manifest.contents == 2)
        let content = try #require(lines[0].content)
        let digest = String(content.dropFirst(#"{"d":""#.count).prefix(12))
        let value = content.dropFirst(#"{"d":"0123456789ab","b":8,"v":"#.count).dropLast()
        #expect(RedactedValue.digest(of: String(value)) == digest)
        #expect(lines[2].event?.contains(digest) == true)
    }

    @Test("A payload is recognized by its place only with its length and its form")
    func recognized() {
        var machine = Self.machine()
        let text = Data((0..<400).map { UInt8(truncatingIfNeeded: $0) })
        func digest(_ payload: Payload) -> String? {
            let line = machine.take(Self.seen("phone", "write", .written, UUID(), payload)).event ?? ""
            return line.split(separator: #""d":""#).dropFirst().first.map { String($0.prefix(12)) }
        }
        let payloads: [Payload] = [
            .bytes(text), .bytes(text.prefix(200)), .propertyList(text), .bytes(Data(repeating: 7, count: 400)),
            .bytes(Data([1])), .bytes(Data([2])),
        ]
        let digests = payloads.map(digest)
        let others = [0, 1, 3, 4, 5].map { digests[$0] }
        #expect(Set(others).count == others.count, "\(digests)")
        #expect(payloads.map(digest) == digests, "a second time")
    }

    @Test("Words of actions name watches by their numbers")
    func words() throws {
        var machine = Self.machine()
        let watch = UUID()
        var deed = Self.seen("phone", "watches", .other)
        deed.words = "pair \(watch)"
        #expect(try Self.event(&machine, deed).words == "pair #1")
        #expect(try Self.event(&machine, Self.seen("phone", "connected", .other, watch)).package == 1)
    }

    @Test(
        "An event names its watch by the number with which that has connected; the connection itself has no other name")
    func watches() throws {
        var machine = Self.machine()
        let watches = [UUID(), UUID()]
        func event(_ kind: String, _ stage: Observation.Stage, _ package: UUID?, _ watch: Int) throws -> CassetteEvent {
            var seen = Self.seen("phone", kind, stage, package)
            seen.device = watches[watch]
            return try Self.event(&machine, seen)
        }
        let events = [
            try event("connected", .other, watches[0], 0), try event("read", .read, UUID(), 0),
            try event("connected", .other, watches[1], 1), try event("read", .read, UUID(), 1),
            try event("reachabilityDidChange", .notified, nil, 1), try event("disconnected", .other, watches[0], 0),
        ]
        #expect(events.map(\.package) == [1, 2, 3, 4, nil, 1], "\(events.map(\.package))")
        #expect(events.map(\.watch) == [nil, 1, nil, 3, 3, nil], "\(events.map(\.watch))")
    }

    @Test("A device keeps its number when the messages of its first days are forgotten")
    func longRecording() throws {
        var machine = Self.machine()
        let watch = UUID()
        var connected = Self.seen("phone", "connected", .other, watch)
        connected.device = watch
        #expect(try Self.event(&machine, connected).package == 1)
        for _ in 0..<2 * CassetteLimits.openPackages {
            _ = machine.take(Self.seen("phone", "sendMessage", .call, UUID()))
        }
        #expect(try Self.event(&machine, connected).package == 1, "when it connects again")
        var deed = Self.seen("phone", "watches", .other)
        deed.words = "switch \(watch)"
        #expect(try Self.event(&machine, deed).words == "switch #1")
    }

    @Test("A recording that lost an event is incomplete, and tells the first reason")
    func lost() {
        var machine = Self.machine()
        machine.lose(3, "the disk was slower than the events")
        machine.lose(1, "another")
        machine.finish(written: CassetteWriter.Written(), failure: nil)
        #expect(machine.manifest.state == .incomplete)
        #expect(machine.manifest.lost == 4)
        #expect(machine.manifest.reason == "the disk was slower than the events")
    }

    @Test("Lines that are not in the files count as lost")
    func unwritten() {
        var machine = Self.machine()
        for _ in 0..<5 { _ = machine.take(Self.seen("phone", "activate", .call)) }
        machine.finish(written: CassetteWriter.Written(events: 2), failure: "write to x: No space left on device")
        #expect(machine.manifest.events == 2)
        #expect(machine.manifest.lost == 3)
        #expect(machine.manifest.reason == "write to x: No space left on device")
    }

    @Test("The schema has types, optional keys, bounds and class names")
    func schema() throws {
        var machine = Self.machine()
        let messages: [[String: Any]] = [
            ["answers": [["points": 5], ["points": 300, "text": "x"]], "done": true], ["answers": [Any]()],
        ]
        for message in messages {
            let data = try PropertyListValue(object: message).binaryData()
            _ = machine.take(Self.seen("watch", "sendMessage", .call, UUID(), .propertyList(data)))
        }
        let learned = try #require(machine.schema.messages["watch sendMessage"])
        #expect(learned.contents == 2)
        #expect(learned.paths[""]?.types == ["dictionary": 2])
        #expect(learned.paths["answers"]?.types == ["list": 2])
        #expect(learned.paths["answers[].points"]?.types == ["integer below 16": 1, "integer below 4096": 1])
        let text = try #require(learned.paths["answers[].text"])
        #expect(text.present == 1 && text.possible == 2)
        let answers = try #require(learned.paths["answers"])
        #expect(answers.present == 2 && answers.possible == 2)
        #expect(learned.paths["done"]?.possible == 2)
    }
}
