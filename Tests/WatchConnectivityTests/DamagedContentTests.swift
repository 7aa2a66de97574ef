import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import Glibc
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

/// Answers data with something that is no dictionary.
private final class NoDictionaryDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    {
        replyHandler(DamagedContentTests.damaged)
    }
}

@Suite("Content that is no dictionary")
struct DamagedContentTests {
    static let damaged = Data("no archive".utf8)

    private let pair: TestPair

    init() throws {
        pair = try TestPair()
        #expect(pair.connect())
    }

    private func send(_ kind: TransferKind, isReplyWanted: Bool, _ ends: Collector<String>) -> UUID {
        let identifier = UUID()
        let reply: MessageHandlers.Reply? = isReplyWanted ? .dictionary({ _ in ends.add("reply") }) : nil
        let handlers = MessageHandlers(kind: kind, reply: reply, error: { ends.add("\(($0 as NSError).code)") })
        pair.companion.session.core.send(Self.damaged, identifier: identifier, to: nil, handlers)
        return identifier
    }

    @Test("A message fails at its sender, and the delegate is not called", arguments: [false, true])
    func message(isReplyWanted: Bool) throws {
        let ends = Collector<String>()
        let message = send(.message, isReplyWanted: isReplyWanted, ends)
        ends.expect { $0 == ["7010"] }
        #expect(pair.host.delegate.all("message") == [])
        #expect(pair.host.session.openReplies == 0)
        #expect(pair.companion.session.outstandingMessages == 0)
        let entry = try pair.companion.ledger(message)
        #expect(entry?.state == .failed)
        pair.companion.session.sendMessage(["n": 1], replyHandler: { _ in ends.add("next") })
        ends.expect { $0 == ["7010", "next"] }
        #expect(pair.host.delegate.all("message") == ["message n=1"])
    }

    @Test("So it does if a fault delivers messages twice")
    func duplicate() {
        pair.host.session.simulator.inject(AppFault(.duplicate(.message)))
        let ends = Collector<String>()
        _ = send(.message, isReplyWanted: true, ends)
        ends.expect { $0 == ["7010"] }
        #expect(pair.host.count(.faultInjected) == 0)
        #expect(pair.host.delegate.all("message") == [])
    }

    @Test("A reply fails the message whose sender expects one")
    func reply() {
        let delegate = NoDictionaryDelegate()
        pair.host.session.delegate = delegate
        let ends = Collector<String>()
        _ = send(.data, isReplyWanted: true, ends)
        ends.expect { $0 == ["7011"] }
        #expect(pair.companion.session.outstandingMessages == 0)
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "A transfer has failed in the ledger of its receiver, with the reason, and the next one is delivered",
        arguments: [TransferKind.userInfo, .context, .complication])
    func transfer(_ kind: TransferKind) throws {
        let shell = try #require(pair.companion.session.core.shell)
        let transfer = OutgoingTransfer(
            identifier: UUID(), peer: .unknownPeer, kind: kind, payload: Self.damaged, queuedAt: Date())
        try shell.queue(transfer, failing: nil) { _ in }
        pair.host.log.expect { records in
            records.contains { $0.event == .transferFailed && $0.fields.contains(.package(transfer.identifier)) }
        }
        let found = try pair.host.ledger(transfer.identifier, .incoming)
        let entry = try #require(found)
        #expect(entry.state == .failed)
        #expect(entry.cause?.isEmpty == false)
        #expect(pair.host.session.receivedApplicationContext.isEmpty)
        pair.companion.session.transferUserInfo(["n": 1])
        pair.host.delegate.events.expect { $0.contains("userInfo n=1") }
        #expect(pair.host.delegate.all("userInfo") == ["userInfo n=1"])
        #expect(pair.host.delegate.all("context") == [])
    }

    @Test("Metadata has its file fail, which is not given to the delegate")
    func metadata() throws {
        let file = try pair.scratch.write("f", "text")
        let shell = try #require(pair.companion.session.core.shell)
        let stamp = try #require(Self.stamp(file))
        let transfer = OutgoingTransfer(
            identifier: UUID(), peer: .unknownPeer, kind: .file, payload: Self.damaged, file: stamp, queuedAt: Date())
        try shell.queue(transfer, failing: nil) { _ in }
        pair.host.log.expect { records in
            records.contains { $0.event == .transferFailed && $0.fields.contains(.package(transfer.identifier)) }
        }
        let entry = try pair.host.ledger(transfer.identifier, .incoming)
        #expect(entry?.state == .failed)
        #expect(pair.host.delegate.all("file") == [])
        let inbox = try #require(pair.host.session.core.shell).home.directory.inbox
        let left = try FileManager.default.subpathsOfDirectory(atPath: inbox).filter {
            $0.contains("f") && $0.hasSuffix("/f")
        }
        #expect(left == [])
    }

    /// Returns the state of a file as a transfer records it.
    private static func stamp(_ path: String) -> FileStamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        return FileStamp(path: path, size: Int64(status.st_size), modified: modified, inode: Int64(status.st_ino))
    }
}
