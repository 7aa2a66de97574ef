import Dispatch
import Files
import Glibc
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Turns of the event loop")
struct EventLoopTurnTests {
    /// Ends its loop with the test.
    private final class Loop: Sendable {
        let turns: EventLoop

        init() throws { turns = try EventLoop(name: "test") }

        /// Runs a task on the loop.
        func perform<Value: Sendable>(_ task: @escaping @Sendable (EventLoop) throws -> Value) throws -> Value {
            try turns.perform { [turns] in try task(turns) }
        }

        deinit { turns.stopLater() }
    }

    private final class Handler: EventHandler, Sendable {
        let events = Collector<EventLoop.Interest>()
        let ends = Collector<Bool>()

        func ready(_ events: EventLoop.Interest) { self.events.add(events) }
        func loopEnded() { ends.add(true) }
    }

    @Test("What many descriptors are to write is written in the middle of a task, what a few are to write after it")
    func writeIfMany() throws {
        let loop = try Loop()
        let counts = try loop.perform { turns in
            let written = Collector<Bool>()
            return (1...130).map { _ in
                turns.afterHandling { written.add(true) }
                turns.writeIfMany()
                return written.all.count
            }
        }
        let expected = [Int](repeating: 0, count: 63) + [Int](repeating: 64, count: 64) + [128, 128, 128]
        #expect(counts == expected, "\(counts)")
    }

    @Test("What follows a turn runs in it: first its end, then what is written, and what either adds")
    func order() throws {
        let loop = try Loop()
        let done = Collector<String>()
        try loop.perform { turns in
            turns.afterHandling {
                done.add("written")
                turns.atEndOfTurn { done.add("end of what is written") }
                turns.afterHandling { done.add("written more") }
            }
            turns.atEndOfTurn {
                done.add("end")
                turns.afterHandling { done.add("written at the end") }
                turns.atEndOfTurn { done.add("end of the end") }
            }
            done.add("task")
        }
        // No later turn is needed.
        done.expect { $0.count == 7 }
        let order = done.all
        #expect(
            order == [
                "task", "end", "end of the end", "written", "written at the end", "written more",
                "end of what is written",
            ])
    }

    @Test("What is written after an event does not wait for the next event")
    func afterEvent() throws {
        let loop = try Loop()
        let peer = try RawSocket()
        defer { _ = close(peer.other) }
        let done = Collector<String>()
        let handler = Writer(loop.turns, done)
        _ = try loop.perform { try $0.watch(peer.other, EventLoop.readable, handler) }
        peer.say([1])
        done.expect { $0.count == 2 }
        let order = done.all
        #expect(order == ["ready", "written"])
    }

    private final class Writer: EventHandler, Sendable {
        private let loop: EventLoop
        private let done: Collector<String>

        init(_ loop: EventLoop, _ done: Collector<String>) {
            self.loop = loop
            self.done = done
        }

        func ready(_ events: EventLoop.Interest) {
            loop.afterHandling { [done] in done.add("written") }
            done.add("ready")
        }

        func loopEnded() {}
    }

    @Test("A buffer that is given back is empty, and is used again once")
    func buffers() throws {
        let loop = try Loop()
        let found = try loop.perform { turns in
            var buffer = [UInt8](repeating: 7, count: 1_000)
            turns.giveBack(&buffer)
            let (first, second) = (turns.takeBuffer(), turns.takeBuffer())
            return [buffer.capacity == 0, first.isEmpty, first.capacity >= 1_000, second.capacity == 0]
        }
        #expect(found == [true, true, true, true])
    }

    @Test("Buffers are kept up to a mebibyte together, and room is made when they are taken")
    func bufferLimit() throws {
        let loop = try Loop()
        let kept = try loop.perform { turns in
            /// The number of buffers kept of those given back.
            func kept(_ sizes: [Int]) -> Int {
                for size in sizes {
                    var buffer = [UInt8](repeating: 7, count: size)
                    turns.giveBack(&buffer)
                }
                var count = 0
                while turns.takeBuffer().capacity > 0 { count += 1 }
                return count
            }
            return [kept([2_000_000]), kept([600_000, 600_000]), kept([400_000, 400_000]), kept([2_000_000, 100])]
        }
        #expect(kept == [0, 1, 2, 1])
    }

    @Test("A descriptor that is forgotten tells nothing more, even when another has taken its place")
    func forgotten() throws {
        let loop = try Loop()
        let peers = try [RawSocket(), RawSocket()]
        defer { for peer in peers { _ = close(peer.other) } }
        let handlers = [Handler(), Handler()]
        let tokens = try loop.perform { turns in
            let old = try turns.watch(peers[0].other, EventLoop.readable, handlers[0])
            turns.forget(old)
            turns.forget(old)
            let new = try turns.watch(peers[1].other, EventLoop.readable, handlers[1])
            turns.forget(old)
            return [old, new]
        }
        #expect(tokens[0] & 0xFFFF_FFFF == tokens[1] & 0xFFFF_FFFF)
        #expect(tokens[0] != tokens[1])
        for peer in peers { peer.say([1]) }
        try loop.perform { _ in }
        let events = handlers.map(\.events.all)
        #expect(events == [[], [EventLoop.readable]])
    }

    @Test("Two descriptors that are forgotten leave two places")
    func places() throws {
        let loop = try Loop()
        let peers = try (0..<4).map { _ in try RawSocket() }
        defer { for peer in peers { _ = close(peer.other) } }
        let handlers = peers.map { _ in Handler() }
        let places = try loop.perform { turns in
            var tokens: [EventLoop.Token] = []
            for place in 0..<2 {
                try tokens.append(turns.watch(peers[place].other, EventLoop.readable, handlers[place]))
            }
            for token in tokens { turns.forget(token) }
            for place in 2..<4 {
                try tokens.append(turns.watch(peers[place].other, EventLoop.readable, handlers[place]))
            }
            return tokens.map { $0 & 0xFFFF_FFFF }
        }
        #expect(places == [1, 2, 2, 1])
        for peer in peers { peer.say([1]) }
        try loop.perform { _ in }
        let events = handlers.map(\.events.all.count)
        #expect(events == [0, 0, 1, 1])
    }

    @Test("What cannot be watched is refused, and takes no place")
    func refused() throws {
        let loop = try Loop()
        let peer = try RawSocket()
        defer { _ = close(peer.other) }
        let handler = Handler()
        let error = SystemError("watch", on: "descriptor -1", code: EBADF)
        #expect(throws: error) { try loop.perform { try $0.watch(-1, EventLoop.readable, handler) } }
        #expect(throws: error) { try loop.perform { try $0.change(1, -1, EventLoop.readable) } }
        let token = try loop.perform { try $0.watch(peer.other, EventLoop.readable, handler) }
        #expect(token == 1)
        peer.say([1])
        handler.events.expect { $0 == [EventLoop.readable] }
    }

    @Test("A changed interest holds, and tells again what is ready")
    func changed() throws {
        let loop = try Loop()
        let peer = try RawSocket()
        defer { _ = close(peer.other) }
        let handler = Handler()
        let token = try loop.perform { try $0.watch(peer.other, 0, handler) }
        peer.say([1])
        try loop.perform { _ in }
        let early = handler.events.all
        #expect(early == [])
        for _ in 0..<2 { try loop.perform { try $0.change(token, peer.other, EventLoop.readable) } }
        handler.events.expect { $0 == [EventLoop.readable, EventLoop.readable] }
    }

    @Test("A loop that ends runs its waiting tasks first, and tells every handler once")
    func end() throws {
        let loop = try Loop()
        let peers = try [RawSocket(), RawSocket()]
        defer { for peer in peers { _ = close(peer.other) } }
        let handlers = [Handler(), Handler()]
        let done = Collector<Int>()
        try loop.perform { turns in
            let forgotten = try turns.watch(peers[0].other, EventLoop.readable, handlers[0])
            _ = try turns.watch(peers[1].other, EventLoop.readable, handlers[1])
            turns.forget(forgotten)
            turns.stopLater()
            for number in 0..<3 { turns.execute { done.add(number) } }
        }
        handlers[1].ends.expect { !$0.isEmpty }
        let numbers = done.all
        #expect(numbers == [0, 1, 2])
        let ends = handlers.map(\.ends.all.count)
        #expect(ends == [0, 1])
    }

    @Test("Deferred tasks run although nobody catches up, in order, time and again")
    func deferred() throws {
        let loop = try Loop()
        let done = Collector<Int>()
        for number in 0..<3 {
            loop.turns.executeSoon { done.add(2 * number) }
            loop.turns.executeSoon { done.add(2 * number + 1) }
            done.expect { $0.count == 2 * number + 2 }
        }
        let numbers = done.all
        #expect(numbers == [0, 1, 2, 3, 4, 5])
    }

    @Test("Catching up runs deferred tasks, and is nothing without them")
    func caughtUp() throws {
        let loop = try Loop()
        let done = Collector<Int>()
        loop.turns.catchUp()
        for number in 0..<100 {
            loop.turns.executeSoon { done.add(number) }
            loop.turns.catchUp()
        }
        done.expect { $0.count == 100 }
        let numbers = done.all
        #expect(numbers == Array(0..<100))
    }

    @Test("A thread that took a turn is not the loop afterwards, and none is it from outside")
    func current() throws {
        let loop = try Loop()
        #expect(!loop.turns.isCurrent)
        let done = Collector<Bool>()
        for _ in 0..<10 { loop.turns.executeNow { done.add(loop.turns.isCurrent) } }
        #expect(!loop.turns.isCurrent)
        done.expect { $0.count == 10 }
        let wasCurrent = done.all
        #expect(wasCurrent == [Bool](repeating: true, count: 10))
        #expect(!loop.turns.isCurrent)
    }

    @Test("Each turn has the time of its start")
    func now() throws {
        let loop = try Loop()
        var times: [MonotonicTime] = []
        for _ in 0..<3 {
            try times.append(loop.perform { $0.now })
            times.append(.now)
        }
        #expect(times == times.sorted())
    }

    @Test("Timers wake the loop one after another, an earlier one although a later one was set before")
    func timers() throws {
        let loop = try Loop()
        let fired = Collector<Int>()
        try loop.perform { _ = $0.schedule(at: .now + .seconds(3_600)) { fired.add(-1) } }
        for number in 0..<3 {
            try loop.perform { _ = $0.schedule(at: .now + .milliseconds(1)) { fired.add(number) } }
            fired.expect { $0.count == number + 1 }
        }
        let numbers = fired.all
        #expect(numbers == [0, 1, 2])
    }

    @Test("A timer of the past, or of the clock's first moments, fires", arguments: [Int64.min, -1, 0, 1])
    func past(_ nanoseconds: Int64) throws {
        let loop = try Loop()
        let fired = Collector<Bool>()
        try loop.perform { turns in
            // The alarm must be set for it: the turn has its own look at the timers.
            turns.atEndOfTurn { _ = turns.schedule(at: MonotonicTime(nanoseconds: nanoseconds)) { fired.add(true) } }
        }
        fired.expect { !$0.isEmpty }
    }

    @Test("A task may add tasks, which run in a later turn, and timers, which fire in this one if they are due")
    func added() throws {
        let loop = try Loop()
        let done = Collector<String>()
        try loop.perform { turns in
            turns.execute { done.add("task") }
            _ = turns.schedule(at: .now) { done.add("timer") }
            turns.atEndOfTurn { done.add("end") }
        }
        done.expect { $0.count == 3 }
        let order = done.all
        #expect(order == ["timer", "end", "task"])
    }

    @Test("Of two descriptors that are ready, what the first caused is written before the second is handled")
    func betweenEvents() throws {
        let loop = try Loop()
        let peers = try [RawSocket(), RawSocket()]
        defer { for peer in peers { _ = close(peer.other) } }
        let done = Collector<String>()
        let handlers = peers.map { _ in Writer(loop.turns, done) }
        try loop.perform { turns in
            for (peer, handler) in zip(peers, handlers) {
                _ = try turns.watch(peer.other, EventLoop.readable, handler)
            }
            // Both are ready when the loop looks next.
            for peer in peers { peer.say([1]) }
        }
        done.expect { $0.count == 4 }
        let order = done.all
        #expect(order == ["ready", "written", "ready", "written"])
    }

    /// Does something on its loop when that ends.
    private final class Ender: EventHandler, Sendable {
        private let task: @Sendable () -> Void

        init(_ task: @escaping @Sendable () -> Void) { self.task = task }

        func ready(_ events: EventLoop.Interest) {}
        func loopEnded() { task() }
    }

    @Test("What the end of a loop leaves to be done is done in its last turn")
    func lastTurn() throws {
        let loop = try Loop()
        let peer = try RawSocket()
        defer { _ = close(peer.other) }
        let done = Collector<String>()
        let turns = loop.turns
        let handler = Ender {
            turns.afterHandling { done.add("written") }
            turns.atEndOfTurn { done.add("end") }
        }
        _ = try loop.perform { try $0.watch(peer.other, EventLoop.readable, handler) }
        turns.stopLater()
        done.expect { $0.count == 2 }
        let order = done.all
        #expect(order == ["end", "written"])
    }

    @Test("A loop that has ended lets go of its handlers, and of tasks that were to follow its last turn")
    func letsGo() throws {
        let (handlerGone, taskGone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let peer = try RawSocket()
        defer { _ = close(peer.other) }
        try Self.end(peer.other, Canary(handlerGone), Canary(taskGone))
        #expect(handlerGone.wait(timeout: .now() + .seconds(30)) == .success)
        #expect(taskGone.wait(timeout: .now() + .seconds(30)) == .success)
    }

    /// Ends a loop that its handler and a task hold.
    private static func end(_ descriptor: Int32, _ ofHandler: Canary, _ ofTask: Canary) throws {
        let turns = try EventLoop(name: "test", hasStandIn: true)
        let handler = Ender { withExtendedLifetime((turns, ofHandler)) {} }
        try turns.perform {
            _ = try turns.watch(descriptor, EventLoop.readable, handler)
            turns.afterTurn { withExtendedLifetime((turns, ofTask)) {} }
            turns.stopLater()
        }
    }

    @Test("A descriptor that is forgotten twice leaves one place")
    func forgottenTwice() throws {
        let loop = try Loop()
        let peers = try (0..<3).map { _ in try RawSocket() }
        defer { for peer in peers { _ = close(peer.other) } }
        let handlers = peers.map { _ in Handler() }
        let places = try loop.perform { turns in
            var tokens = try [turns.watch(peers[0].other, EventLoop.readable, handlers[0])]
            for _ in 0..<2 { turns.forget(tokens[0]) }
            for place in 1...2 {
                try tokens.append(turns.watch(peers[place].other, EventLoop.readable, handlers[place]))
            }
            return tokens.map { $0 & 0xFFFF_FFFF }
        }
        #expect(places == [1, 1, 2])
        for peer in peers { peer.say([1]) }
        try loop.perform { _ in }
        let events = handlers.map(\.events.all.count)
        #expect(events == [0, 1, 1])
    }
}
