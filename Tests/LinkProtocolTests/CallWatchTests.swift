import Foundation
import Testing

@testable import LinkProtocol

@Suite("Calls that do not return")
struct CallWatchTests {
    private let package = UUID()

    private func watch() -> CallWatch { CallWatch(patience: [.seconds(5), .seconds(60)]) }

    @Test("A call is reported after five and sixty seconds, and then no more")
    func twice() {
        var watch = watch()
        let first = watch.began("slow", package, at: at(10))
        #expect(first == at(15))
        let (five, second) = watch.deadlinePassed(at: at(15))
        #expect(five?.method == "slow")
        #expect(five?.package == package)
        #expect(second == at(70))
        let (sixty, third) = watch.deadlinePassed(at: at(70))
        #expect(sixty?.reports == 2)
        #expect(third == nil)
        let last = watch.deadlinePassed(at: at(200))
        #expect(last.overdue == nil)
        #expect(last.next == nil)
        #expect(watch.overdue?.start == at(10))
        let ended = watch.ended()
        #expect(ended?.method == "slow")
        #expect(watch.overdue == nil)
    }

    @Test("What a program tells of such a call is found among its lines, with the threads that wait")
    func finding() {
        let call = CallWatch.Call(method: "slow", package: nil, start: at(10))
        let text = CallWatch.finding(of: call, seconds: 60, waits: "  thread 1 waits\n      main\n")
        #expect(text == "FINDING: the delegate's method slow has not returned for 60 s\n  thread 1 waits\n      main")
        let lines = ["before"] + text.split(separator: "\n").map(String.init) + ["after"]
        #expect(CallWatch.finding(in: lines) == String(text.dropFirst("FINDING: ".count)))
        #expect(CallWatch.finding(in: ["FINDING: an app's own", "  more"]) == nil)
    }

    @Test("Calls that return are not reported, and share one timer")
    func quick() {
        var watch = watch()
        let timers = (0..<3).map { number in
            let timer = watch.began("quick", nil, at: at(Double(number)))
            let ended = watch.ended()
            #expect(ended == nil)
            return timer
        }
        #expect(timers == [at(5), nil, nil])
        let idle = watch.deadlinePassed(at: at(5))
        #expect(idle.overdue == nil)
        #expect(idle.next == nil)
        let anew = watch.began("quick", nil, at: at(9))
        #expect(anew == at(14))
    }

    @Test("A call that began while the timer was running has its own five seconds, to the nanosecond")
    func later() {
        var watch = watch()
        _ = watch.began("first", nil, at: at(0))
        _ = watch.ended()
        _ = watch.began("second", nil, at: at(4))
        let (early, next) = watch.deadlinePassed(at: at(5))
        #expect(early == nil)
        #expect(next == at(9))
        let (exact, _) = watch.deadlinePassed(at: at(9))
        #expect(exact?.method == "second")
    }
}
