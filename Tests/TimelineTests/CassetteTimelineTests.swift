import Cassettes
import Foundation
import Testing

@testable import CassetteReplay
@testable import Timeline

@Suite("Timelines of cassettes")
struct CassetteTimelineTests {
    private static let start = Date(timeIntervalSince1970: 1_795_000_000)

    private static func event(
        _ sequence: Int, _ milliseconds: Int64, _ kind: String, package: Int? = nil, side: String = "phone",
        error: Int? = nil, words: String? = nil
    ) -> CassetteEvent {
        var event = CassetteEvent(sequence: sequence, time: milliseconds * 1_000, side: side, kind: kind)
        (event.package, event.error, event.words) = (package, error, words)
        return event
    }

    private static func tape(_ events: [CassetteEvent], _ side: String = "phone") throws -> AppTape {
        try #require(AppTape(side, events, [:]))
    }

    private static func milliseconds(_ time: Date?) -> Int? {
        time.map { Int(($0.timeIntervalSince(start) * 1_000).rounded()) }
    }

    /// A message that is answered, one that fails, and a user info of the other side.
    private static let story = [
        event(1, 100, "activate"), event(2, 110, "reachabilityDidChange", words: "reachable"),
        event(3, 200, "sendMessage", package: 1), event(4, 201, "write", package: 1, words: "SendMessage Sent"),
        event(5, 250, "read", package: 1, words: "SendMessage Replied"), event(6, 251, "replyHandler", package: 1),
        event(7, 300, "sendMessage", package: 2), event(8, 310, "errorHandler", package: 2, error: 7007),
        event(9, 400, "read", package: 3, words: "TransferUserInfo Sent"),
        event(10, 401, "didReceiveUserInfo", package: 3), event(11, 402, "write", package: 4, words: "State Sent"),
        event(12, 500, "device", words: "reboot"), event(13, 510, "reachabilityDidChange", words: "unreachable"),
    ]

    @Test("The calls and outcomes of an app are packages with their status, the rest is bands and marks")
    func story() throws {
        let timeline = CassetteTimeline([try Self.tape(Self.story)], start: Self.start).timeline
        let found = timeline.packages.map { "\($0.identifier) \($0.kind) \($0.origin?.rawValue ?? "-") \($0.status)" }
        #expect(
            found == [
                "#1 sendMessage host replied", "#2 sendMessage host failed", "#3 transferUserInfo companion delivered",
                "#4 State host sent",
            ])
        #expect(timeline.packages[1].cause == "error 7007", "\(timeline.packages[1])")
        let bands = timeline.bands.map { [Self.milliseconds($0.start), Self.milliseconds($0.end)] }
        #expect(bands == [[110, 510]])
        #expect(timeline.marks.map(\.kind) == [.start, .fault])
    }

    @Test("An arrow ends at once where the other side was not recorded, and where it was, at its time there")
    func arrows() throws {
        let alone = CassetteTimeline([try Self.tape(Self.story)], start: Self.start).timeline
        let ends = alone.packages[0].arrows.map { [Self.milliseconds($0.left), Self.milliseconds($0.arrived)] }
        #expect(ends == [[201, 201], [251, 251]])
        var both = Self.story
        both.insert(Self.event(5, 220, "read", package: 1, side: "watch", words: "SendMessage Sent"), at: 4)
        both.insert(Self.event(6, 230, "write", package: 1, side: "watch", words: "SendMessage Replied"), at: 5)
        let pair = CassetteTimeline([try Self.tape(both), try Self.tape(both, "watch")], start: Self.start).timeline
        let shared = pair.packages[0].arrows.filter { $0.meaning == .out }.map {
            [Self.milliseconds($0.left), Self.milliseconds($0.arrived)]
        }
        #expect(shared == [[201, 220]])
        // Nobody recorded the way of the message that failed.
        #expect(pair.packages[1].arrows.isEmpty, "\(pair.packages[1].arrows)")
    }

    @Test("A page shows both courses, and what differs in each, as text that cannot become markup")
    func page() throws {
        let tape = try Self.tape(Self.story)
        var timeline = CassetteTimeline([tape], start: Self.start)
        timeline.mark(.parting, try #require(tape.event(at: 6)), of: tape, "reply: <title> is missing")
        let page = ComparisonPage.html(
            "a & b", findings: ["changed: <title>"],
            [.init("Recorded", timeline.timeline), .init("Replayed", timeline.timeline)])
        #expect(page.components(separatedBy: "<svg ").count == 3, "\(page)")
        #expect(page.components(separatedBy: "class=\"parting-text\"").count == 3)
        #expect(page.contains("reply: &lt;title&gt; is missing") && page.contains("<h1>a &amp; b</h1>"))
        #expect(!page.contains("<title> is missing"))
    }
}
