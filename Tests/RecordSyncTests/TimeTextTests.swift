import Foundation
import Testing

@testable import RecordSync

/// Tests of the quick form of times against Foundation's.
@Suite("Times in documents")
struct TimeTextTests {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let lastMillisecond: Int64 = 253_402_300_799_999

    private static let days: [Int64] = [
        "1970-01-01", "1972-02-29", "1999-12-31", "2000-02-29", "2100-03-01", "9999-12-31",
    ]
    .compactMap { try? Date("\($0)T00:00:00Z", strategy: .iso8601) }.map { Int64($0.timeIntervalSince1970) * 1_000 }

    private func foundations(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1_000).formatted(Self.style)
    }

    @Test("A time has Foundation's text, and the text is read to the bit as by Foundation")
    func times() throws {
        #expect(Self.days.count == 6)
        let edges = Self.days.flatMap { [$0, $0 + 1, $0 + 999, $0 + 86_399_999, max(0, $0 - 1)] }
        let random = (0..<5_000).map { _ in Int64.random(in: 0...Self.lastMillisecond) }
        let recent = (0..<5_000).map { _ in Int64.random(in: 1_700_000_000_000...1_900_000_000_000) }
        for milliseconds in edges + random + recent {
            let time = try #require(PlainTime(milliseconds: milliseconds))
            let expected = foundations(milliseconds)
            #expect(time.text == expected)
            let read = try #require(PlainTime(expected), "\(expected)")
            let foundations = try Date(expected, strategy: Self.style)
            #expect(read.milliseconds == milliseconds)
            #expect(read.date == foundations, "\(expected)")
            #expect(TimeText.text(foundations) == expected)
        }
    }

    @Test(
        "Other texts are left to Foundation",
        arguments: [
            "", "2026-11-20T18:30:00Z", "2026-11-20T18:30:00.25Z", "2026-11-20T18:30:00.250+",
            "1969-12-31T23:59:59.999Z",
            "2026-02-29T00:00:00.000Z", "2026-04-31T00:00:00.000Z", "2026-13-01T00:00:00.000Z",
            "2026-00-01T00:00:00.000Z", "2026-01-00T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
            "2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z", "2026-01-01 00:00:00.000Z",
            "+026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.-10Z", "２026-01-01T00:00:00.0Z",
        ])
    func others(_ text: String) {
        #expect(PlainTime(text) == nil)
    }

    @Test("Times outside of those years are left to Foundation", arguments: [-1, lastMillisecond + 1, .min, .max])
    func outside(_ milliseconds: Int64) {
        #expect(PlainTime(milliseconds: milliseconds) == nil)
    }
}
