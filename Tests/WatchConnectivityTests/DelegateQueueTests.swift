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

        func perform(_ message: IncomingMessage) {}
        func perform(_ reply: Data, to identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>) {}
        func discard(_ message: IncomingMessage) {}
        func batched(_ body: () -> Void) { body() }
        func endRound() {}
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
}
