import Dispatch
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Lead")
struct LeadTests {
    /// The rules behind a reference: what is expected must not change a value.
    private final class Rules {
        private var rules = LeadRules()

        func leave() -> Bool { rules.leave() }
        func comeBack() -> Bool { rules.comeBack() }
        func end() { rules.end() }
        func beginToWait() -> LeadRules.Verdict { rules.beginToWait() }
        func bellRang() -> LeadRules.Verdict { rules.bellRang() }
        func ticked() -> LeadRules.Verdict { rules.ticked() }
    }

    @Test("The stand-in leads as soon as the bell rings while the leader is away")
    func bell() {
        let rules = Rules()
        #expect(rules.leave())
        #expect(rules.bellRang() == .leads)
        #expect(!rules.comeBack())
        // The former leader stands in for the new one.
        #expect(rules.beginToWait() == .waits(ticking: true))
        #expect(rules.bellRang() == .waits(ticking: true))
    }

    @Test("No bell is needed while the stand-in ticks: it looks after the leader by the clock")
    func ticks() {
        let rules = Rules()
        #expect(rules.leave(), "nobody looks yet")
        #expect(rules.comeBack())
        #expect(rules.beginToWait() == .waits(ticking: true))
        for _ in 0..<100 {
            #expect(!rules.leave())
            #expect(rules.ticked() == .waits(ticking: true), "it has just gone")
            #expect(rules.comeBack())
        }
        #expect(!rules.leave())
        #expect(rules.ticked() == .waits(ticking: true))
        #expect(rules.ticked() == .leads, "it stays away")
        #expect(!rules.comeBack())
    }

    @Test("The stand-in sleeps when nothing happens, and ends with the loop")
    func rest() {
        let rules = Rules()
        var verdict = rules.beginToWait()
        var ticks = 0
        while verdict == .waits(ticking: true), ticks < 1_000 {
            verdict = rules.ticked()
            ticks += 1
        }
        #expect(verdict == .waits(ticking: false))
        #expect(ticks == LeadRules.idleTicks)
        #expect(rules.leave(), "it sleeps")
        rules.end()
        #expect(rules.bellRang() == .ends)
        #expect(rules.ticked() == .ends)
        #expect(!rules.comeBack())
    }

    @Test("A loop turns while what came after a turn takes its time")
    func standIn() throws {
        let loop = try EventLoop(name: "test", hasStandIn: true)
        defer { loop.stopLater() }
        for _ in 0..<50 {
            let (told, done) = (DispatchSemaphore(value: 0), Collector<Bool>())
            loop.execute {
                loop.afterTurn {
                    // Comes from a timer of the loop, which this thread has left.
                    done.add(told.wait(timeout: .now() + .seconds(30)) == .success)
                }
                _ = loop.schedule(at: .now + .milliseconds(1)) { told.signal() }
            }
            done.expect { $0 == [true] }
        }
    }

    @Test("What comes after borrowed turns runs on the loop's threads, one after the other")
    func afterBorrowedTurns() throws {
        let loop = try EventLoop(name: "test", hasStandIn: true)
        defer { loop.stopLater() }
        let done = Collector<Bool>()
        let caller = pthread_self()
        for _ in 0..<200 {
            loop.executeNow { loop.afterTurn { done.add(pthread_equal(pthread_self(), caller) == 0) } }
        }
        done.expect { $0.count == 200 }
        #expect(done.all.count { !$0 } == 0)
    }

    @Test("A loop ends while its leader is away, and both threads let go of it")
    func end() throws {
        let (gone, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        do {
            let loop = try EventLoop(name: "test", hasStandIn: true)
            let canary = Canary(gone)
            loop.execute { loop.afterTurn { withExtendedLifetime((loop, canary)) { goOn.wait() } } }
            loop.execute { goOn.signal() }
            loop.stopLater()
        }
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
    }

    @Test("What is to run soon runs when the loop is caught up with, and else by itself")
    func soon() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let done = Collector<Bool>()
        for _ in 0..<10 { loop.executeSoon { done.add(true) } }
        loop.catchUp()
        done.expect { $0.count == 10 }
        for count in 1...20 {
            loop.executeSoon { done.add(false) }
            done.expect("nobody catches up") { $0.count == 10 + count }
        }
        // A nudge that is still to come, though somebody has caught up with what it was for, is as good as a new one.
        for count in 1...200 {
            loop.executeSoon { done.add(false) }
            loop.catchUp()
            loop.executeSoon { done.add(false) }
            done.expect { $0.count == 30 + 2 * count }
        }
        // What is urgent takes along what is not.
        loop.executeSoon { done.add(false) }
        loop.execute { done.add(false) }
        done.expect { $0.count == 432 }
    }

    @Test("Identifiers of one time lie side by side, and none is twice the same")
    func ordered() {
        let identifiers = (0..<1_000).map { _ in UUID.ordered() }
        #expect(Set(identifiers).count == 1_000)
        let times = identifiers.map { $0.uuidString.prefix(13) }
        #expect(times == times.sorted())
        let others = identifiers.filter { $0.uuid.6 >> 4 != 7 || $0.uuid.8 >> 6 != 2 }
        #expect(others == [])
        let now = UInt64(Date().timeIntervalSince1970 * 1_000)
        let text = identifiers[999].uuidString.filter { $0 != "-" }.prefix(12)
        #expect(UInt64(text, radix: 16).map { $0 <= now && now - $0 < 60_000 } == true, "\(text) at \(now)")
    }

    @Test("A leader that is back leads: a bell that rings late changes nothing, and it comes back once")
    func late() {
        let rules = Rules()
        let atFirst = rules.bellRang()
        #expect(atFirst == .waits(ticking: true), "nobody is away")
        _ = rules.leave()
        let isBack = rules.comeBack()
        #expect(isBack)
        let rung = rules.bellRang()
        #expect(rung == .waits(ticking: true))
        let ticked = (0..<LeadRules.idleTicks).map { _ in rules.ticked() }
        #expect(ticked == [.waits(ticking: true), .waits(ticking: true)], "the first one sees the absence")
        let again = rules.comeBack()
        #expect(!again)
    }

    /// The number of ticks after which the stand-in sleeps.
    private static func ticksUntilRest(_ rules: Rules) -> Int {
        var ticks = 1
        while rules.ticked() == .waits(ticking: true), ticks < 100 { ticks += 1 }
        return ticks
    }

    @Test("However a wait began, the stand-in sleeps after the same number of ticks without an absence")
    func sameRest() {
        let rules = Rules()
        // An absence before the wait is none during it.
        _ = rules.leave()
        _ = rules.comeBack()
        _ = rules.beginToWait()
        let first = Self.ticksUntilRest(rules)
        #expect(first == LeadRules.idleTicks)
        // The bell wakes it, and it ticks again.
        let rung = rules.bellRang()
        #expect(rung == .waits(ticking: true))
        let second = Self.ticksUntilRest(rules)
        #expect(second == LeadRules.idleTicks)
        // It led in the meantime.
        _ = rules.leave()
        let lead = rules.bellRang()
        #expect(lead == .leads)
        _ = rules.beginToWait()
        let third = Self.ticksUntilRest(rules)
        #expect(third == LeadRules.idleTicks)
    }

    @Test("An absence that is seen by a tick starts the count anew")
    func absenceSeen() {
        let rules = Rules()
        _ = rules.beginToWait()
        for _ in 1..<LeadRules.idleTicks { _ = rules.ticked() }
        _ = rules.leave()
        let away = rules.ticked()
        #expect(away == .waits(ticking: true))
        let isBack = rules.comeBack()
        #expect(isBack)
        let ticks = Self.ticksUntilRest(rules)
        #expect(ticks == LeadRules.idleTicks)
        // Nobody ticks any more, so that the bell must ring.
        let mustRing = rules.leave()
        #expect(mustRing)
    }

    @Test("Once the stand-in has taken the lead by the clock, nobody ticks, and a leader that leaves must ring")
    func ringsAfterLead() {
        let rules = Rules()
        _ = rules.beginToWait()
        let mustRingFirst = rules.leave()
        #expect(!mustRingFirst)
        let verdicts = [rules.ticked(), rules.ticked()]
        #expect(verdicts == [.waits(ticking: true), .leads])
        // The lead is taken, and nobody else may have it.
        let isBack = rules.comeBack()
        #expect(!isBack)
        let mustRing = rules.leave()
        #expect(mustRing)
        rules.end()
        let ends = [rules.bellRang(), rules.ticked()]
        #expect(ends == [.ends, .ends])
    }
}
