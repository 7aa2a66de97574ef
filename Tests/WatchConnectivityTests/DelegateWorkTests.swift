import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import DeviceShell

/// The kinds of work of a delegate's queue, beside calls.
@Suite("Messages and replies in the delegate's queue")
struct DelegateWorkTests {
    private final class Performer: DelegateQueuePerformer {
        let calls = Collector<String>()

        func perform(_ message: IncomingMessage) { calls.add("message \(message.bytes)") }
        func perform(_ reply: Data, to identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>) {
            calls.add("reply \([UInt8](reply)) to \(identifier), \(handlers.value.kind)")
        }
        func discard(_ message: IncomingMessage) { calls.add("discard \(message.bytes)") }
        func batched(_ body: () -> Void) {
            calls.add("batch")
            body()
        }
        func endRound() { calls.add("end of round") }
        func becameIdle() { calls.add("idle") }
    }

    private let queue = DelegateQueue()
    private let performer = Performer()
    private let identifier = UUID()

    init() { queue.start(performer) }

    private func message(_ bytes: Int) -> DelegateQueue.Work {
        let package = MessagePackage(
            identifier: UUID(), command: .sendMessage, status: .sent, timestamp: Date(timeIntervalSince1970: 0))
        let watch = Device(identifier: UUID(), role: .companion, name: "w")
        return .message(IncomingMessage(package, from: watch, bytes: bytes) { _ in })
    }

    private func reply() -> DelegateQueue.Work {
        .reply(
            Data([5]), to: identifier, UncheckedBox(MessageHandlers(kind: .data, reply: nil, error: nil)))
    }

    private func call(_ name: String) -> DelegateQueue.Work {
        let calls = performer.calls
        return .call({ calls.add(name) }, discard: { calls.add("discard \(name)") })
    }

    @Test("Messages, replies and calls are performed in their order, as one round")
    func performed() {
        var work = [message(7), reply(), call("a"), message(8)]
        let mustStart = queue.add(&work)
        #expect(mustStart)
        queue.drain()
        let expected = [
            "batch", "message 7", "reply [5] to \(identifier), data", "a", "message 8", "end of round", "idle",
        ]
        #expect(performer.calls.all == expected)
    }

    @Test("A single message needs no batch")
    func single() {
        var work = [message(7)]
        let mustStart = queue.add(&work)
        #expect(mustStart)
        queue.drain()
        #expect(performer.calls.all == ["message 7", "end of round", "idle"])
    }

    @Test("When the app ends, messages and calls that wait are discarded in their order, and replies are dropped")
    func discarded() {
        queue.hold()
        var work = [message(7), reply(), call("a"), message(8)]
        let mustStart = queue.add(&work)
        #expect(!mustStart)
        queue.discard()
        #expect(performer.calls.all == ["discard 7", "discard a", "discard 8"])
        #expect(queue.isIdle)
        queue.discard()
        #expect(performer.calls.all.count == 3)
    }
}
