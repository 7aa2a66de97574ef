import DeviceEngine
import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

/// Keeps the reply handler of each message.
private final class KeepingDelegate: NSObject, WCSessionDelegate, Sendable {
    let held = Collector<UncheckedBox<([String: Any]) -> Void>>()

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { held.add(UncheckedBox(replyHandler)) }
}

/// Answers each message twice.
private final class TwiceDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { for _ in 1...2 { replyHandler([:]) } }
}

/// Has a method for data without a reply, and for no other content.
private final class DataDelegate: NSObject, WCSessionDelegate, Sendable {
    let events = Collector<String>()

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        events.add("data \(messageData.count)")
    }
}

@Suite("Messages whose answer is late, missing or impossible")
struct UnansweredMessageTests {
    private let pair: TestPair
    private let ends = Collector<String>()

    init() throws {
        pair = try TestPair()
        #expect(pair.connect())
    }

    private func send(_ session: WCSession, isReplyWanted: Bool = true) throws -> UUID {
        let identifier = UUID()
        let reply: MessageHandlers.Reply? = isReplyWanted ? .dictionary({ _ in ends.add("reply") }) : nil
        let handlers = MessageHandlers(kind: .message, reply: reply, error: { ends.add($0.localizedDescription) })
        session.core.send(try MessagePayload.data(["n": 1]), identifier: identifier, to: nil, handlers)
        return identifier
    }

    @Test("A delegate that lacks the method for one message gets the next ones, for which it has a method")
    func nextMethod() {
        let delegate = DataDelegate()
        pair.host.session.delegate = delegate
        let session = pair.companion.session
        let codes = Collector<Int>()
        session.sendMessage(["n": 1], replyHandler: nil) { codes.add(($0 as NSError).code) }
        codes.expect { $0 == [7014] }
        for count in 1...2 {
            session.sendMessageData(Data(count: count), replyHandler: nil) { codes.add(($0 as NSError).code) }
        }
        delegate.events.expect { $0 == ["data 1", "data 2"] }
        #expect(pair.host.count(.delegateMethodMissing) == 1)
    }

    @Test("A message without a reply handler ends when the delegate has it, as delivered")
    func delivered() throws {
        let session = pair.companion.session
        let message = try send(session, isReplyWanted: false)
        _ = try send(session)
        ends.expect { $0 == ["reply"] }
        #expect(session.outstandingMessages == 0)
        let state = try pair.companion.ledger(message)?.state
        #expect(state == .delivered)
    }

    @Test("A second answer is not sent")
    func twice() throws {
        let delegate = TwiceDelegate()
        pair.host.session.delegate = delegate
        for number in 1...2 {
            _ = try send(pair.companion.session)
            ends.expect { $0.count == number }
        }
        #expect(ends.all == ["reply", "reply"])
        #expect(pair.host.count(.replyTooLate) == 0)
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "A message that can never be answered is no longer open, as the log, a hint and the ledger say",
        arguments: [(Command.sendMessage, "message"), (Command.sendMessageData, "data")])
    func unanswerable(_ command: Command, kind: String) throws {
        let core = pair.host.session.core
        let package = MessagePackage(
            identifier: UUID(), command: command, status: .sent, wantsReply: true, timestamp: Date())
        core.openReplies.add(1)
        core.unanswerable(package)
        #expect(pair.host.session.openReplies == 0)
        #expect(pair.host.count(.replyDropped) == 1)
        #expect(pair.host.hints == [.replyDropped])
        let found = try pair.host.ledger(package.identifier, .incoming)
        let entry = try #require(found)
        #expect(entry.state == .failed)
        #expect(entry.kind == kind)
        #expect(entry.cause == "the delegate never called the reply handler")
    }

    @Test("A message whose sender expects no answer needs none")
    func unneeded() throws {
        let package = MessagePackage(identifier: UUID(), command: .sendMessage, status: .sent, timestamp: Date())
        pair.host.session.core.unanswerable(package)
        #expect(pair.host.session.openReplies == 0)
        #expect(pair.host.count(.replyDropped) == 0)
        #expect(pair.host.hints == [])
        let entry = try pair.host.ledger(package.identifier, .incoming)
        #expect(entry == nil)
    }

    @Test("A message to a watch that its phone leaves has failed, and is waited for no longer")
    func abandoned() throws {
        let delegate = KeepingDelegate()
        pair.companion.session.delegate = delegate
        let message = try send(pair.host.session)
        delegate.held.expect { $0.count == 1 }
        let other = UUID()
        try pair.host.session.simulator.pair(other)
        try pair.host.session.simulator.switchTo(other)
        let reason = "The session is inactive: the phone is switching to another watch"
        ends.expect { $0 == [reason] }
        #expect(pair.host.session.outstandingMessages == 0)
        let cause = try pair.host.ledger(message)?.cause
        #expect(cause == reason)
        withExtendedLifetime(delegate) {}
    }

    @Test("A message whose app ends has failed in the ledger only, and is waited for no longer")
    func dropped() throws {
        let delegate = KeepingDelegate()
        pair.host.session.delegate = delegate
        let message = try send(pair.companion.session)
        delegate.held.expect { $0.count == 1 }
        pair.companion.session.simulator.enter(.terminated)
        #expect(pair.companion.session.outstandingMessages == 0)
        let entry = try pair.companion.ledger(message)
        #expect(entry?.state == .failed)
        #expect(entry?.cause == "the app ended before the reply arrived")
        #expect(ends.all == [])
        withExtendedLifetime(delegate) {}
    }

    @Test("A message that waits for an app fails at its sender when that app ends")
    func discarded() throws {
        let (entered, gate) = (Collector<Bool>(), DispatchSemaphore(value: 0))
        pair.host.delegate.onUserInfo.withLock {
            $0 = {
                entered.add(true)
                gate.wait()
            }
        }
        let session = pair.companion.session
        session.transferUserInfo(["n": 1])
        entered.expect { $0 == [true] }
        _ = try send(session)
        // What is sent after the message arrives after it.
        session.transferUserInfo(["n": 2])
        pair.companion.delegate.events.expect { $0.contains("finished userInfo n=2 ok false") }
        pair.host.session.simulator.enter(.terminated)
        ends.expect { $0 == ["The counterpart is not reachable: the counterpart's app ended"] }
        #expect(pair.host.session.openReplies == 0)
        gate.signal()
    }

    @Test("A message for a session without a delegate fails at its sender, with that reason")
    func withoutDelegate() throws {
        pair.host.session.delegate = nil
        _ = try send(pair.companion.session)
        ends.expect { $0 == ["The content could not be delivered: the counterpart has no delegate"] }
        #expect(pair.host.count(.delegateMissing) == 1)
        #expect(pair.host.session.openReplies == 0)
    }

    @Test("A session without a delegate sends nothing, with an error that says so")
    func sendingWithoutDelegate() {
        let session = pair.companion.session
        session.delegate = nil
        let codes = Collector<Int>()
        session.sendMessage(
            ["n": 1], replyHandler: { _ in codes.add(0) }, errorHandler: { codes.add(($0 as NSError).code) })
        codes.expect { $0 == [7003] }
        let error = #expect(throws: WCError.self) { try session.updateApplicationContext(["n": 1]) }
        #expect(error?.code.rawValue == 7003)
        #expect(pair.host.delegate.all("message") == [])
    }
}
