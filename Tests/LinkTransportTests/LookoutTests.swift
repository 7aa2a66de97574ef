import Dispatch
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Lookout")
struct LookoutTests {
    private static let short = LookoutRules.briskPause - .microseconds(1)

    @Test("A short pause is followed by a lookout, which ends when its time is over")
    func brisk() {
        var rules = LookoutRules()
        #expect(!rules.isDue)
        rules.slept(Self.short, inVain: false)
        #expect(rules.isDue)
        #expect(rules.looksOn(after: .zero))
        #expect(!rules.looksOn(after: LookoutRules.patience))
    }

    @Test("After a long pause, and after a lookout in vain, the thread sleeps at once")
    func calm() {
        var rules = LookoutRules()
        rules.slept(Self.short, inVain: false)
        rules.slept(LookoutRules.briskPause, inVain: false)
        #expect(!rules.isDue)
        rules.slept(Self.short, inVain: false)
        rules.slept(Self.short, inVain: true)
        #expect(!rules.isDue)
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
        #expect(threads.wait { !$0.isEmpty })
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
