import CVirtualTime
import Foundation
import Testing

/// Tests of each way in which Swift programs wait, wake, read a clock or draw entropy: the same seed must give the same
/// course.
@Suite(.enabled(if: virtual_time_is_available(), "Worlds do not exist under the thread sanitizer."))
struct ConstructTests {
    /// Runs a construct twice with each seed, checks that both runs are equal, and returns the first ones.
    private func repeated(
        _ construct: String, seeds: ClosedRange<UInt64> = 1...3, _ environment: [String: String] = [:],
        growing: Bool = true, end: virtual_time_end = virtual_time_end_ended,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> [ProbeRun] {
        try seeds.map { seed in
            let first = try ProbeRun(construct, seed: seed, environment)
            // The size of the environment, which shifts the stack, must not matter to a program that does not read it.
            let grown = environment.merging(["UNUSED": String(repeating: "x", count: 3000)]) { $1 }
            let second = try ProbeRun(construct, seed: seed, growing ? grown : environment)
            #expect(first.parting(from: second) == nil, "\(construct), seed \(seed)", sourceLocation: location)
            #expect(first.end == end, "\(construct), seed \(seed): \(first.text)", sourceLocation: location)
            return first
        }
    }

    @Test func anHourOfSleepIsAnHourOnEachClock() throws {
        for run in try repeated("sleep") {
            #expect(run.words == ["date +3600 continuous +3600", "suspending +3600"])
            #expect(run.now / 1_000_000_000 == 3600)
        }
    }

    @Test func entropyIsTheSeeds() throws {
        let runs = try repeated("entropy", seeds: 1...4)
        #expect(runs[0].words.count == 3)
        #expect(runs[0].words[0].contains("date 1767225600."))
        for line in 0..<3 { #expect(Set(runs.map { $0.words[line] }).count == 4, "line \(line) is not of the seed") }
    }

    @Test func tasksKeepTheirOrderForASeed() throws {
        let runs = try repeated("tasks", seeds: 1...6, [VIRTUAL_TIME_PREEMPTION: "3"])
        let ends = runs.map { Array($0.words.suffix(2)) }
        #expect(ends.filter { $0 != ["detached, main thread false", "main actor, main thread true"] } == [])
        #expect(Set(runs.map(\.words)).count > 1, "no seed changes the order of tasks")
    }

    @Test func aHopToAFreeActorLetsOthersIn() throws {
        let runs = try repeated("re-entrancy", seeds: 1...30)
        #expect(Set(runs.compactMap(\.words.last)) == ["loads 1", "loads 2"])
    }

    @Test func freeQueuesAndSemaphoresLetOthersIn() throws {
        let runs = try repeated("check then act", seeds: 1...30, [VIRTUAL_TIME_PREEMPTION: "3"])
        #expect(Set(runs.compactMap(\.words.first)) == ["queue 1", "queue 2"])
        #expect(Set(runs.compactMap(\.words.last)) == ["semaphore 1", "semaphore 2"])
    }

    @Test func streamsAndContinuationsWait() throws {
        for run in try repeated("streams") {
            #expect(run.words.last == "continuation 7")
            #expect(run.now >= 60_000_000_000)
        }
    }

    @Test func queuesKeepWhatTheyPromise() throws {
        let runs = try repeated("queues", seeds: 1...6)
        for words in runs.map(\.words) {
            #expect(words.filter { $0.hasPrefix("serial") } == ["serial 0", "serial 1", "serial 2"])
            let barrier = try #require(words.firstIndex(of: "barrier"))
            for number in 0..<4 {
                let end = try #require(words.firstIndex(of: "concurrent \(number) ends"))
                #expect(end < barrier)
            }
            for number in 4..<6 {
                let start = try #require(words.firstIndex(of: "concurrent \(number)"))
                #expect(start > barrier)
            }
            #expect(!words.contains("a cancelled item ran"))
            #expect(words.last == "a day later, main thread true")
        }
        #expect(Set(runs.map(\.words)).count > 1, "no seed changes the order of queues")
    }

    @Test func groupsAndSemaphoresWait() throws {
        for run in try repeated("groups") {
            #expect(run.words.suffix(2) == ["semaphore, timed out true", "group"])
            #expect(run.now / 1_000_000_000 == 105)
        }
    }

    @Test func aPoolOfBlockedWorkersGrows() throws {
        for run in try repeated("pool") { #expect(run.words == ["a worker was added"]) }
    }

    @Test func aWorkerWithoutWorkWaitsOn() throws {
        for run in try repeated("workers") {
            #expect(run.words == ["the same worker true", "timed out true"])
            #expect(run.now / 1_000_000_000 == 65)
        }
    }

    @Test func aRaceHasOneOutcomeForASeed() throws {
        let runs = try repeated("race", seeds: 1...6)
        #expect(Set(runs.map(\.words)).count > 1, "no seed changes what the race loses")
        #expect(runs.contains { $0.words != ["lost 0"] }, "\(runs.map(\.words))")
    }

    @Test func timersFireAtTheirTime() throws {
        for run in try repeated("timers") {
            #expect(run.words == ["timer 1", "timer 2", "timer 3", "slept"])
            #expect(run.now / 1_000_000_000 == 1180)
        }
        for run in try repeated("timer-sources") { #expect(run.words == ["source 1", "source 2", "source 3"]) }
        for run in try repeated("notifications") { #expect(run.words == ["notified, main thread true"]) }
    }

    @Test func locksAndConditionsWait() throws {
        let locks = try repeated("locks", seeds: 1...6)
        let mutexes = locks.map { run in run.words.count { $0.hasPrefix("mutex") } }
        #expect(Set(mutexes) == [4])
        #expect(Set(locks.map(\.words)).count > 1, "no seed changes the order of locks")
        for run in try repeated("conditions") {
            #expect(run.words.first == "waited in vain: true")
            #expect(Set(run.words.dropFirst()) == ["waiter 0", "waiter 1", "waiter 2"])
        }
        for run in try repeated("operations") {
            #expect(run.words.count == 5)
            #expect(run.words.last == "all")
            #expect(run.now / 1_000_000_000 == 2)
        }
    }

    @Test func socketsAndPipesWait() throws {
        for run in try repeated("sockets") { #expect(run.words == ["read 41", "source read 42"]) }
        for run in try repeated("pipes") { #expect(run.words.contains("read 300000")) }
    }

    @Test func timedWaitsEndAtTheirMoment() throws {
        let vain = [
            "mutex", "mutex by clock", "reader", "writer", "writer by clock", "semaphore", "semaphore by clock", "spin",
        ]
        for run in try repeated("timed-locks") {
            let before = vain.map { ["reader", "spin"].contains($0) ? "\($0): 0" : "\($0): 1" }
            #expect(run.words == before + ["cycle: 1", "end of the cycle: 0"])
            #expect(run.now / 1_000_000_000 == 105)
        }
        for run in try repeated("timed-polls") {
            #expect(run.words.prefix(5) == ["poll: 0", "ppoll: 0", "pselect: 0", "epoll_wait: 0", "epoll_pwait2: 0"])
            #expect(run.words[5..<7] == ["by number: ppoll: 0", "by number: nanosleep: 0"])
            #expect(run.words.suffix(2) == ["ready: pselect: 1", "ready: epoll_wait: 1"])
            #expect(run.now / 1_000_000_000 == 21)
        }
        for run in try repeated("joins") {
            #expect(run.words == ["try: 1", "timed: 1", "by clock: 1", "joined: 0", "its value: 1"])
            #expect(run.now / 1_000_000_000 == 7)
        }
    }

    @Test func threadsOfC11AreThreads() throws {
        for run in try repeated("c11-threads", seeds: 1...6) {
            #expect(Set(run.words.prefix(3)) == ["first", "second", "third"])
            #expect(run.words.dropFirst(3) == ["joined 21, turns 4, initialized 1, again: timed out 1, busy 1"])
            #expect(run.now / 1_000_000_000 == 7)
        }
    }

    @Test func messageQueuesWait() throws {
        for run in try repeated("message-queues") {
            let (received, others) = (
                run.words.filter { $0.hasPrefix("message") }, run.words.filter { !$0.hasPrefix("message") }
            )
            #expect(received == ["message 0", "message 1", "message 2"])
            #expect(others == ["in vain: -1 1", "all three are sent", "full: -1 1"])
            // The second moment is one minute after the first.
            #expect(run.now / 1_000_000_000 == 62)
        }
    }

    /// The kernel's limit applies to all programs of a user together: other programs can delay a world, but never
    /// change it.
    @Test func fileWatchesThatOthersHoldAreAwaited() throws {
        for alone in try repeated("file-watches", ["PROBE_REFUSALS": "0"]) {
            #expect(alone.words == ["instance 1, watch 1, error 0", "made: file", "no descriptor left: -1 1"])
            #expect(alone.now / 1_000_000_000 == 3)
        }
        for seed in 1...3 as ClosedRange<UInt64> {
            let alone = try ProbeRun("file-watches", seed: seed, ["PROBE_REFUSALS": "0"])
            // 20 times: longer than a thread may sleep in a call that the world does not control.
            let crowded = try ProbeRun("file-watches", seed: seed, ["PROBE_REFUSALS": "20"])
            #expect(alone.parting(from: crowded) == nil, "seed \(seed)")
        }
    }

    @Test func barriersWaitForTheLast() throws {
        for run in try repeated("barriers") {
            #expect(Set(run.words) == ["thread 0 passes", "thread 1 passes", "thread 2 passes"])
            #expect(run.trace.filter { !$0.hasPrefix("2.") } == [])
        }
    }

    @Test func signalsEndWaits() throws {
        for run in try repeated("signals") { #expect(run.words == ["handled", "slept, left 7", "handled"]) }
        for run in try repeated("signal-waits") {
            #expect(run.words == ["wait 0 true", "in vain -1 true", "wait with information true"])
            #expect(run.now / 1_000_000_000 == 6)
        }
        for run in try repeated("signal-sources") {
            #expect(run.words == ["source"])
            #expect(run.now / 1_000_000_000 == 4)
        }
    }

    @Test func masksAreThoseOfTheWait() throws {
        for run in try repeated("signal-masks") {
            let interrupted = ["ppoll", "pselect", "epoll_pwait"].enumerated().flatMap {
                ["handled: \($0 + 1)", "\($1), interrupted: 1"]
            }
            let rest = ["ppoll, ready first: 1", "handled: 4", "ppoll, pending: 1", "epoll_pwait2, in vain: 0"]
            #expect(run.words == interrupted + rest + ["an unknown clock: 1"])
        }
    }

    @Test func alarmsRingAtTheirTime() throws {
        for run in try repeated("alarms") {
            let slow = ["slow call begins", "slow call begins", "slow call ends", "slow call ends"]
            let last = ["called with 8", "few threads"]
            #expect(
                run.words == Array(repeating: "alarm", count: 5) + ["called with 7", "called with 7"] + slow + last)
            let seconds = run.trace.map { $0.prefix { $0 != "." } }
            #expect(seconds == ["5", "6", "8", "10", "70", "130", "190", "260", "320", "325", "385", "390", "401"])
        }
    }

    @Test func childrenTakeNoneOfTheWorldsTime() throws {
        // Foundation copies the environment for its child, which moves the objects whose addresses it keeps in sets.
        for run in try repeated("children", growing: false) {
            #expect(run.words == ["from the child, code 3", "another thread"])
            #expect(run.now < 3_000_000_000)
        }
        for run in try repeated("waits-for-children") {
            #expect(run.words == ["waited true, code 4", "none left -1 true"])
        }
    }

    @Test func aShellTakesNoneOfTheWorldsTime() throws {
        for run in try repeated("shells") {
            #expect(run.words == ["system: 5", "one", "two", "read: 6", "written: 7, another's: 1", "vfork: 8"])
            #expect(run.now < 1_000_000_000)
        }
    }

    @Test func questionsToTheSystemHaveTheSameAnswers() throws {
        for run in try repeated("questions") {
            let words = [
                "name: 0, 127.0.0.1, 80", "records: held 1, own -1, later 0", "statx: 0, 1767225600",
                "checked: 0, 3, abc", "parent 1, loads 3: 0.00, no rings 1",
            ]
            #expect(run.words == words)
            #expect(run.now / 1_000_000_000 == 34)
        }
    }

    @Test func identifiersAndProcessorsAreTheSameEverywhere() throws {
        for run in try repeated("identifiers") {
            let words = [
                "first: process 1000, thread 1000", "second: process 1000, thread 8388609", "processors: 4 and 4",
            ]
            #expect(run.words == words)
        }
    }

    @Test func locksAndTimesOfFilesAreTheWorlds() throws {
        for run in try repeated("file-locks") {
            #expect(run.words == ["not at once -1 true", "locked 0"])
            #expect(run.now / 1_000_000_000 == 20)
        }
        for run in try repeated("file-times") {
            let words = ["written 1767225600", "unchanged true", "changed after 100", "older than the world true"]
            #expect(run.words == words)
        }
        for run in try repeated("file-numbers") {
            let words = [
                "one after the other 1", "of another name true, renamed true", "made again 1", "renamed to itself 1",
                "after another was replaced 2", "directory 3", "directory 4",
            ]
            #expect(run.words.dropLast() == words + Array(repeating: "listed true", count: 4))
        }
    }

    @Test func largePartsAreWrittenAndReadAsAWhole() throws {
        let sum = (0..<1_000_000).reduce(0) { $0 + $1 % 7 }
        for run in try repeated("large-messages") {
            let words = Array(repeating: ["read 1000000, sum \(sum)", "written 1000000"], count: 3).flatMap(\.self)
            #expect(run.words == words + ["looked at 2: ab", "received 4: abcd"])
        }
    }

    @Test func socketsGiveUpAfterTheirTime() throws {
        for run in try repeated("socket-timeouts") {
            let words = [
                "recv(ends[0], &byte, 1, 0) EAGAIN after 20", "read(ends[0], &byte, 1) EAGAIN after 20",
                "send(ends[0], bytes, LARGE, 0) made after 5", "send(ends[0], bytes, LARGE, 0) EAGAIN after 5",
                "accept(listener, NULL, NULL) EAGAIN after 5",
            ]
            #expect(run.words == words)
        }
    }

    @Test func namesOfTemporaryFilesAreTheSeeds() throws {
        let runs = try repeated("temporary-names")
        #expect(Set(runs.map { $0.words[0] }).count == runs.count)
        for run in runs {
            #expect(run.words[1...2] == ["made 1 1, with O_APPEND 1", "wrong: -1 EINVAL"])
            #expect(run.words[3].hasPrefix("drawn 1: "))
        }
    }

    @Test func closingAllDescriptorsLeavesTheWorlds() throws {
        for run in try repeated("closing-all") {
            #expect(run.words == ["closed 1", "a range 0, closed 1", "from a number on, closed 1"])
        }
    }

    @Test func aDeadlockSaysWhoWaitsForWhom() throws {
        let end = virtual_time_end_deadlock
        for run in try repeated("deadlock", end: end) {
            #expect(run.text.contains("thread 0 waits in sem_wait"))
            #expect(run.exitCode == VIRTUAL_TIME_EXIT_STOPPED)
        }
        for run in try repeated("deadlock-with-attendant", end: end) {
            let threads = run.text.matches(of: /thread (\d) waits in/).map { String($0.output.1) }
            #expect(threads == ["0", "2", "1"], "an attendant is no cause, so it comes last: \(run.text)")
        }
        for run in try repeated("deadlock-of-locks", end: end) {
            #expect(run.text.contains("in a cycle: thread 1 -> thread 2 -> thread 1"))
            #expect(run.text.contains("thread 1 waits in pthread_mutex_lock for a lock that thread 2 holds"))
        }
        for run in try repeated("deadlock-with-pool", end: end) { #expect(run.now < 60_000_000_000) }
    }

    /// The main thread waits for events meanwhile.
    @Test func aCycleOfWaitsIsReportedWhenItCloses() throws {
        let end = virtual_time_end_deadlock
        for run in try repeated("deadlock-of-queues", end: end) {
            let isNamed = [(1, "second", 2), (1, "first", 2), (2, "second", 1), (2, "first", 1)].contains {
                run.text.contains(
                    "thread \($0.0) waits in futex for the queue \"\($0.1)\", which thread \($0.2) serves")
            }
            #expect(isNamed, "\(run.text)")
            #expect(run.text.contains("in a cycle: thread 1 -> thread 2 -> thread 1"), "\(run.text)")
            // Equal deadlocks have equal reports, whatever the other threads do.
            #expect(!run.text.contains("thread 0"), "\(run.text)")
            #expect(run.now < 2_000_000_000, "\(run.text)")
        }
        for run in try repeated("deadlock-of-main-queue", end: end) {
            let main = "which thread 0 serves"
            #expect(run.text.contains("for the queue \"com.apple.main-thread\", \(main)"), "\(run.text)")
            #expect(run.text.contains("thread 0 waits in pthread_mutex_lock for a lock that thread"), "\(run.text)")
        }
        for run in try repeated("deadlock-of-initializers", end: end) {
            #expect(run.text.contains("waits in futex lock for a lock that thread 1 holds"), "\(run.text)")
        }
    }

    /// Its work would wake it, and other threads go on.
    @Test(arguments: [
        ("main-thread-waits-for-itself", 10), ("main-thread-waits-for-a-callback", 15),
        ("main-thread-waits-for-its-timer", 17),
    ])
    func aMainThreadThatWaitsForItselfIsReported(_ construct: String, seconds: Int64) throws {
        for run in try repeated(construct, end: virtual_time_end_deadlock) {
            #expect(run.text.hasPrefix("the main thread waits while it has work to do at"), "\(run.text)")
            #expect(run.text.contains("\n  thread 0 waits in sem_wait\n"), "\(run.text)")
            #expect(run.text.contains("ProbeProgram+0x"), "\(run.text)")
            #expect(run.now / 1_000_000_000 == seconds, "\(run.text)")
        }
    }

    @Test func aMainThreadThatWaitsForOthersIsNotReported() throws {
        for run in try repeated("main-thread-waits-for-others") {
            #expect(
                run.words == [
                    "a minute without work", "9 s with work", "9 s more, in another wait", "60 s, in a wait that ends",
                    "work",
                ])
        }
    }

    @Test func locksInOppositeOrdersAreNotedIfTheyCanMeet() throws {
        for run in try repeated("locks in opposite orders") {
            let trace = run.trace.joined(separator: "\n")
            let both = trace.components(separatedBy: VIRTUAL_TIME_LOCK_ORDERS).dropFirst()
            #expect(both.count == 2, "\(trace)")
            #expect(both.first?.contains("  thread 1 holds a lock, and takes a lock\n      ") == true, "\(trace)")
            #expect(
                both.last?.contains("  thread 1 holds the queue \"first\", and takes the queue \"second\"\n") == true,
                "\(trace)")
            #expect(
                trace.contains("  thread 2 holds the queue \"second\", the one that the other takes, and takes"),
                "\(trace)")
            #expect(trace.contains("ProbeProgram+0x"), "\(trace)")
        }
        for run in try repeated("orders of locks that cannot meet") { #expect(run.trace == []) }
    }

    @Test func waitsWithinTheWorkOfQueuesAreNoDeadlock() throws {
        for run in try repeated("waits-of-queues", seeds: 1...20, [VIRTUAL_TIME_PREEMPTION: "3"]) {
            #expect(run.words.last == "all", "\(run.words)")
        }
    }

    @Test func aThreadThatOnlyYieldsIsFound() throws {
        for run in try repeated("yielding", seeds: 1...2, end: virtual_time_end_spinning) {
            #expect(run.text.contains("thread 0 has yielded its processor 200000 times"), "\(run.text)")
            #expect(run.text.contains("ProbeProgram+0x"), "\(run.text)")
        }
        for run in try repeated("yielding-for-a-while", seeds: 1...1) { #expect(run.words == ["waited"]) }
    }

    @Test func aMainThreadThatFreezesIsReportedUnlessItKeepsItsProgramAlive() throws {
        for run in try repeated("main-thread-freezes", end: virtual_time_end_deadlock) {
            #expect(run.text.hasPrefix("the main thread waits in work of its run loop at 65."), "\(run.text)")
            #expect(run.text.contains("\n  for 60 s it has done nothing"), "\(run.text)")
            #expect(run.text.contains("ProbeProgram+0x"), "\(run.text)")
        }
        for run in try repeated("main-thread-keeps-its-program-alive") { #expect(run.now / 1_000_000_000 == 605) }
    }

    @Test func aLazyConstantThatNeedsItselfIsReported() throws {
        for run in try repeated("lazy-constant-needs-itself", end: virtual_time_end_deadlock) {
            #expect(run.text.hasPrefix("a thread waits for itself at "), "\(run.text)")
            #expect(run.text.contains("waits in futex lock for a lock that it holds itself"), "\(run.text)")
        }
    }

    @Test func retriesWithoutEndAreFound() throws {
        for run in try repeated("endless-retries", seeds: 1...1, end: virtual_time_end_spinning) {
            #expect(run.text.contains("woke each other 1000000 times in a minute of virtual time"), "\(run.text)")
        }
    }

    @Test func threadsThatGoOnBesideEachOtherAreFound() throws {
        for run in try repeated("going-on-for-ever", seeds: 1...2, end: virtual_time_end_spinning) {
            #expect(
                run.text.contains("could have been interrupted 1000000 times in a second of virtual"), "\(run.text)")
            #expect(run.text.contains("ProbeProgram+0x"), "\(run.text)")
        }
    }

    @Test func aThreadThatOnlyCallsIsFound() throws {
        for run in try repeated("calling-for-ever", seeds: 1...1, end: virtual_time_end_spinning) {
            #expect(run.text.contains("thread 0 has made 50000000 calls without waiting"), "\(run.text)")
            #expect(run.text.contains("ProbeProgram+0x"), "\(run.text)")
        }
    }

    @Test func aWorldEndsAtItsHorizon() throws {
        for run in try repeated("horizon", [VIRTUAL_TIME_HORIZON: "7200"], end: virtual_time_end_horizon) {
            #expect(run.now == 7_200_000_000_000)
        }
    }

    @Test func aFailureIsKept() throws {
        for run in try repeated("failure", end: virtual_time_end_failed) {
            #expect(run.text == "it went wrong")
            #expect(run.exitCode == VIRTUAL_TIME_EXIT_FAILED)
        }
    }

    @Test func aCallThatTheWorldDoesNotControlIsNamed() throws {
        let run = try ProbeRun("uncontrolled", seed: 1)
        #expect(run.end == virtual_time_end_uncontrolled)
        #expect(run.text.contains("thread 0 is asleep in futex"))
        #expect(run.text.contains("_IO_flockfile"))
    }

    @Test func aCancelledThreadIsNamed() throws {
        let run = try ProbeRun("cancellation", seed: 1)
        #expect(run.end == virtual_time_end_uncontrolled)
        #expect(run.text.contains("thread 0 calls pthread_cancel, which this world does not control"))
    }

    @Test func aThreadThatSpinsIsNamed() throws {
        let run = try ProbeRun("spinning", seed: 1, [VIRTUAL_TIME_SPIN: "200"])
        #expect(run.end == virtual_time_end_spinning)
        #expect(run.text.contains("thread 0 has computed for 200 ms without a call"))
    }
}
