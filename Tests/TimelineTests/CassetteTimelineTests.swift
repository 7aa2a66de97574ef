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
        error: Int? = nil, words: String? = nil, watch: Int? = nil
    ) -> CassetteEvent {
        var event = CassetteEvent(sequence: sequence, time: milliseconds * 1_000, side: side, kind: kind)
        (event.package, event.error, event.words, event.watch) = (package, error, words, watch)
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

    /// A host that serves three watches, one of which exchanges nothing.
    private static let served = [
        event(1, 100, "connected", package: 1), event(2, 101, "reachabilityDidChange", words: "reachable", watch: 1),
        event(3, 110, "connected", package: 2), event(4, 111, "reachabilityDidChange", words: "reachable", watch: 2),
        event(5, 120, "connected", package: 3),
        event(6, 200, "read", package: 4, words: "SendMessageData Sent", watch: 2),
        event(7, 201, "didReceiveMessageDataWithReply", package: 4, watch: 2), event(8, 202, "reply", package: 4),
        event(9, 203, "write", package: 4, words: "SendMessageData Replied", watch: 2),
        event(10, 300, "read", package: 5, words: "SendMessageData Sent", watch: 1),
        event(11, 301, "didReceiveMessageDataWithReply", package: 5, watch: 1),
        event(12, 400, "disconnected", package: 2),
        event(13, 401, "reachabilityDidChange", words: "unreachable", watch: 2),
    ]

    @Test(
        "A host that served several watches has a lane for each of them, with what it exchanged and when it was linked")
    func severalWatches() throws {
        let timeline = CassetteTimeline([try Self.tape(Self.served)], start: Self.start).timeline
        #expect(timeline.watches == ["watch", "watch2", "watch3"])
        let packages = timeline.packages.map { "\($0.identifier) \($0.watch ?? "-")" }
        #expect(packages == ["#4 watch2", "#5 watch"])
        let bands = timeline.bands.map { band in
            "\(band.counterpart ?? "-") \(Self.milliseconds(band.start) ?? -1)...\(Self.milliseconds(band.end) ?? -1)"
        }
        #expect(bands == ["watch 101...401", "watch2 111...401"])
        let marks = timeline.marks.map { "\($0.life.watch ?? "-") \($0.kind) \(Self.milliseconds($0.time) ?? -1)" }
        #expect(marks == ["watch start 100", "watch2 start 110", "watch3 start 120", "watch2 stop 400"])
        let svg = TimelineDrawing(timeline).svg(isDocument: true)
        for name in ["watch", "watch2", "watch3", "host (phone)"] { #expect(svg.contains(">\(name)</text>"), "\(svg)") }
    }

    @Test("What faults did is marked, and is told with the package; it is no package itself")
    func faults() throws {
        let events = [
            Self.event(1, 100, "sendMessage", package: 1),
            Self.event(2, 101, "fault", package: 1, words: "drop out message"),
            Self.event(3, 102, "fault", words: "late out by=310ms"),
            Self.event(4, 103, "fault", package: 2, words: "drop out state"),
        ]
        let timeline = CassetteTimeline([try Self.tape(events)], start: Self.start).timeline
        #expect(timeline.packages.map(\.identifier) == ["#1"])
        #expect(timeline.packages.map(\.faults) == [["drop out message"]])
        #expect(timeline.marks.map(\.kind) == [.fault, .fault, .fault])
        #expect(timeline.marks.map(\.note).contains("fault late out by=310ms"), "\(timeline.marks)")
    }

    @Test("The watches that a phone served one after the other have lanes as well")
    func switchedWatches() throws {
        let events = [
            Self.event(1, 100, "connected", package: 1), Self.event(2, 110, "connected", package: 2),
            Self.event(3, 200, "sendMessage", package: 3),
            Self.event(4, 201, "write", package: 3, words: "SendMessage Sent"),
            Self.event(5, 300, "watches", words: "switch #2"), Self.event(6, 301, "didBecomeInactive"),
            Self.event(7, 302, "didDeactivate"),
            Self.event(8, 400, "sendMessage", package: 4),
            Self.event(9, 401, "write", package: 4, words: "SendMessage Sent"),
        ]
        let timeline = CassetteTimeline([try Self.tape(events)], start: Self.start).timeline
        #expect(timeline.packages.map(\.watch) == ["watch", "watch2"])
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
