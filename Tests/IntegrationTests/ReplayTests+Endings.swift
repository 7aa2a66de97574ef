import Foundation
import Testing

/// The ends of programs.
extension ReplayTests {
    /// The places at which a build can stop: the event that leads there, and which of its kind, and the deed that then does not come.
    private static let stops = [
        ("message", "didReceiveMessageWithReply", 1, "reply"), ("info", "didReceiveUserInfo", 3, "transferUserInfo"),
        ("main", "didReceiveMessageWithReply", 2, "reply"), ("timer", "sendMessage", 1, "sendMessage"),
    ]

    @Test(
        "A build that stops in whatever way is broken at the first deed that does not come, and its own threads are told first",
        arguments: stops, ["queues", "lock", "task", "group", "sleep", "trap", "abort", "exit"])
    func stopped(_ stop: (place: String, kind: String, number: Int, lost: String), _ death: String) throws {
        // A task of the main actor can be awaited elsewhere, and a main thread that sleeps can wake again.
        let isOfMain = ["main", "timer"].contains(stop.place)
        if death == "task" && !isOfMain || death == "sleep" && isOfMain { return }
        let result = try Self.replay("library", "phone", "die \(stop.place) \(death)")
        let path = try Self.cassettes.get().path("library", "phone") + "/accepted-phone/events.jsonl"
        let kinds = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            line.split(separator: #""k":""#).last?.prefix { $0 != "\"" } ?? ""
        }
        let given = try #require(kinds.indices.filter { kinds[$0] == stop.kind }.dropFirst(stop.number - 1).first)
        let lost = try #require(kinds.indices.first { $0 > given && kinds[$0] == stop.lost })
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(result.output.contains("\n  broken: event \(lost + 1): the program "), "\(result.output)")
        let words = "; the last that it was given was event \(given + 1), \(stop.kind); "
        // A main thread that waits is noticed later.
        #expect(isOfMain || result.output.contains(words), "\(result.output)")
        #expect(!result.output.contains("CassetteRecorder"), "its recorder only waits for work: \(result.output)")
        let isTold = ["queues", "lock", "task", "group", "abort"].contains(death)
        #expect(!isTold || result.output.contains("/ReplayPair/Death.swift:"), "\(result.output)")
        #expect(!result.output.contains(": not done"), "what follows is no cause: \(result.output)")
    }

    @Test(
        "A build that stops before anything was recorded of it is broken at its first deed",
        arguments: ["trap", "require", "abort"])
    func stoppedAtOnce(_ death: String) throws {
        let result = try Self.replay("library", "phone", "die activation \(death)")
        #expect(result.code == 3, "\(result.output)\(result.errors)")
        #expect(result.output.contains("\n  broken: event 1: the program "), "\(result.output)")
        #expect(result.output.contains(" recorded deeds are not in its course"), "\(result.output)")
        let words = ["trap": "Fatal error: the shelf is empty", "require": "Precondition failed: the shelf is empty"]
        #expect(words[death].map(result.output.contains) ?? true, "\(result.output)")
    }
}
