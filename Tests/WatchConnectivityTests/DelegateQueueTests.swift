import DeviceShell
import Dispatch
import Foundation
import Locking
import TestSupport
import Testing

@Suite("The delegate's queue")
struct DelegateQueueTests {
    private final class Performer: DelegateQueuePerformer {
        let idle = Collector<Bool>()
        let parts = Collector<Bool>()
        let rounds = Collector<Bool>()

        func perform(_ message: IncomingMessage) {}
        func perform(_ reply: Data, to identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>) {}
        func discard(_ message: IncomingMessage) {}
        func batched(_ body: () -> Void) {
            parts.add(true)
            body()
        }
        func endRound() { rounds.add(true) }
        func becameIdle() { idle.add(true) }
    }

    private let queue = DelegateQueue()
    private let performer = Performer()
    private let order = Collector<String>()
    private let entered = Collector<Bool>()
    private let gate = DispatchSemaphore(value: 0)

    init() { queue.start(performer) }

    private func enqueue(_ name: String, isBlocking: Bool = false) {
        let discard: @Sendable () -> Void = { [order] in order.add("discard \(name)") }
        queue.enqueue(discard: discard) { [order, entered, gate] in
            order.add(name)
            guard isBlocking else { return }
            entered.add(true)
            gate.wait()
        }
    }

    /// Two calls that are taken together, the first of which continues.
    private func begin() {
        queue.hold()
        enqueue("first", isBlocking: true)
        enqueue("second")
        queue.release()
        entered.expect { $0 == [true] }
    }

    @Test("A call queued after one that still runs when the app ends is not made, by this app or the next one")
    func ended() {
        begin()
        queue.hold()
        queue.discard()
        queue.release()
        enqueue("third")
        gate.signal()
        order.expect { $0.contains("third") }
        #expect(order.all == ["first", "discard second", "third"])
        performer.idle.expect { !$0.isEmpty }
    }

    @Test("A call queued after one that runs while the app is suspended is made when the app resumes")
    func suspended() {
        begin()
        queue.hold()
        gate.signal()
        performer.idle.expect { !$0.isEmpty }
        #expect(order.all == ["first"])
        queue.release()
        order.expect { $0 == ["first", "second"] }
    }

    @Test("Whoever adds work is to start it, unless there is none, it is started, or the app is suspended")
    func mustStart() {
        func add(_ names: String...) -> Bool {
            var work = names.map { name in
                DelegateQueue.Work.call({ [order] in order.add(name) }, discard: nil)
            }
            let mustStart = queue.add(&work)
            #expect(work.isEmpty)
            return mustStart
        }
        let isNothing = add()
        #expect(!isNothing)
        let isFirst = add("first")
        #expect(isFirst)
        let isStarted = add("second", "third")
        #expect(!isStarted)
        #expect(!queue.isIdle)
        queue.drain()
        #expect(order.all == ["first", "second", "third"])
        #expect(queue.isIdle)
        queue.hold()
        #expect(queue.isHeld)
        let isHeld = add("fourth")
        #expect(!isHeld)
        #expect(!queue.isIdle)
        #expect(order.all.count == 3)
        queue.release()
        #expect(!queue.isHeld)
        order.expect { $0 == ["first", "second", "third", "fourth"] }
    }

    /// Queues as much work as is much behind a call that continues.
    private func queueMuch() {
        enqueue("first", isBlocking: true)
        entered.expect { $0 == [true] }
        for number in 1...DelegateQueue.much {
            #expect(!queue.isLong, "\(number - 1) calls wait")
            enqueue("\(number)")
        }
    }

    @Test("The queue is long while much waits for a call, and who waits for room goes on when it is taken")
    func room() {
        queueMuch()
        #expect(queue.isLong)
        let (queue, room) = (queue, Collector<Bool>())
        Thread.detachNewThread {
            // A wait ends after a moment in any case, as the call may never end.
            while queue.isLong { queue.waitForRoom() }
            room.add(true)
        }
        gate.signal()
        room.expect { $0 == [true] }
        performer.idle.expect { !$0.isEmpty }
        #expect(order.all.count == DelegateQueue.much + 1)
        #expect(!queue.isLong)
        queue.waitForRoom()
    }

    @Test("A thread that waits for room goes on although the call does not end")
    func noRoom() {
        queueMuch()
        queue.waitForRoom()
        #expect(queue.isLong)
        gate.signal()
        performer.idle.expect { !$0.isEmpty }
    }

    @Test("A queue that is held is not long, however much waits: nobody would make room")
    func heldMuch() {
        queue.hold()
        for number in 0...DelegateQueue.much { enqueue("\(number)") }
        #expect(!queue.isLong)
        queue.waitForRoom()
        queue.discard()
    }

    @Test("A held queue makes no call, and one that is released without work starts nothing")
    func held() {
        queue.hold()
        enqueue("first")
        #expect(performer.idle.all == [])
        queue.discard()
        #expect(order.all == ["discard first"])
        #expect(queue.isIdle)
        queue.release()
        #expect(queue.isIdle)
        #expect(performer.idle.all == [])
    }

    /// The names of more calls than one batch has, taken together; the first of them continues.
    private func beginMany() -> [String] {
        let names = (0..<80).map { "\($0)" }
        queue.hold()
        for name in names { enqueue(name, isBlocking: name == "0") }
        queue.release()
        entered.expect { $0 == [true] }
        return names
    }

    @Test("Calls of several batches wait while the app is suspended, and are then made once, in their order")
    func suspendedBatches() {
        let names = beginMany()
        queue.hold()
        gate.signal()
        performer.idle.expect { !$0.isEmpty }
        #expect(order.all == ["0"])
        #expect(!queue.isIdle)
        queue.release()
        performer.idle.expect { $0.count == 2 }
        #expect(order.all == names)
        #expect(queue.isIdle)
    }

    @Test("Calls of several batches are discarded once, in their order, when the app ends during the first")
    func endedBatches() {
        let names = beginMany()
        queue.hold()
        queue.discard()
        queue.release()
        gate.signal()
        performer.idle.expect { !$0.isEmpty }
        let discarded = names.dropFirst().map { "discard \($0)" }
        #expect(order.all == ["0"] + discarded)
        #expect(queue.isIdle)
    }

    @Test("A single call needs no batch, and is a round of its own")
    func single() {
        enqueue("only")
        performer.idle.expect { !$0.isEmpty }
        #expect(order.all == ["only"])
        #expect(performer.parts.all == [])
        #expect(performer.rounds.all == [true])
    }

    @Test("Calls of several batches are made in their order, in one round, and the queue is idle once")
    func batches() {
        let names = beginMany()
        gate.signal()
        performer.idle.expect { !$0.isEmpty }
        #expect(order.all == names)
        #expect(performer.parts.all == [true, true, true])
        #expect(performer.rounds.all == [true])
        #expect(performer.idle.all == [true])
    }
}
