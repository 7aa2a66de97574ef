import Dispatch
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Polling policy")
struct PollingPolicyTests {
    private static let short = PollingPolicy.margin / 2
    private static let long = PollingPolicy.margin * 3

    @Test("Nothing is looked out for before there was a pause")
    func first() {
        let rules = PollingPolicy()
        #expect(rules.nap == nil)
        #expect(!rules.looksOn(after: .zero))
    }

    @Test("A short pause is followed by polling, which ends when its time is over")
    func short() {
        var rules = PollingPolicy()
        rules.paused(Self.short, inVain: false)
        #expect(rules.nap == nil)
        #expect(rules.looksOn(after: .zero))
        #expect(rules.looksOn(after: Self.short))
        #expect(!rules.looksOn(after: Self.short + PollingPolicy.margin))
    }

    @Test("A longer pause is followed by a nap, which ends before the next message is expected")
    func nap() {
        var rules = PollingPolicy()
        rules.paused(Self.long, inVain: false)
        #expect(rules.nap == Self.long - PollingPolicy.margin)
        #expect(rules.looksOn(after: Self.long))
        #expect(!rules.looksOn(after: Self.long + PollingPolicy.margin))
        rules.paused(Self.short, inVain: false)
        #expect(rules.nap == nil)
    }

    @Test("After a pause that is not brisk, and after polling in vain, the thread sleeps at once")
    func calm() {
        var rules = PollingPolicy()
        rules.paused(PollingPolicy.briskPause, inVain: false)
        #expect(rules.looksOn(after: .zero))
        rules.paused(PollingPolicy.briskPause + .nanoseconds(1), inVain: false)
        #expect(!rules.looksOn(after: .zero))
        rules.paused(Self.short, inVain: false)
        rules.paused(Self.long, inVain: true)
        #expect(rules.nap == nil)
        #expect(!rules.looksOn(after: .zero))
    }

    @Test("A pause as long as the margin is polled from its beginning; a longer one is napped through but for it")
    func exactMargin() {
        var rules = PollingPolicy()
        rules.paused(PollingPolicy.margin, inVain: false)
        let none = rules.nap
        #expect(none == nil)
        let looks = [-1, 0].map { rules.looksOn(after: PollingPolicy.margin * 2 + .nanoseconds($0)) }
        #expect(looks == [true, false])
        rules.paused(PollingPolicy.margin + .nanoseconds(1), inVain: false)
        let least = rules.nap
        #expect(least == Duration.nanoseconds(1))
        rules.paused(.nanoseconds(0), inVain: false)
        let looksLittle = [rules.looksOn(after: .zero), rules.looksOn(after: PollingPolicy.margin)]
        #expect(looksLittle == [true, false])
    }

    @Test("A loop sleeps again when a brisk exchange is over")
    func rest() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<2_000 {
            loop.execute { done.signal() }
            done.wait()
        }
        let threads = Collector<String>()
        loop.execute {
            threads.add((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
        }
        threads.expect { !$0.isEmpty }
        let thread = try #require(threads.all.first)
        // Nothing tells when a thread falls asleep. Found so twenty times in a row, a millisecond apart: one that looks out on
        // and on is awake.
        var timesAsleep = 0
        let end = MonotonicTime.now + .seconds(30)
        while timesAsleep < 20, .now < end {
            timesAsleep = try Self.isAsleep(thread) ? timesAsleep + 1 : 0
            usleep(1_000)
        }
        #expect(timesAsleep == 20)
    }

    private static func isAsleep(_ thread: String) throws -> Bool {
        try String(contentsOfFile: "/proc/\(thread)/status", encoding: .utf8).contains("State:\tS")
    }
}
