import DeviceEngine
import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Metrics
import SessionStorage
import Storage
import TestSupport
import Testing

/// The metrics are those of the process: each test here counts what no session ever does.
@Suite("The metrics of a session")
struct SessionMetricsTests {
    private static func value(_ series: String) -> Int {
        let line = MetricRegistry.process.text().split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line.flatMap { Int($0.dropFirst(series.count + 1)) } ?? 0
    }

    private static func messages(_ kind: TransferKind, _ direction: String, _ status: String) -> Int {
        value(#"watchlink_messages_total{kind="\#(kind.rawValue)",direction="\#(direction)",status="\#(status)"}"#)
    }

    @Test("Each state is counted for its kind and direction, with the bytes of the payload")
    func counted() {
        let bytes = #"watchlink_message_bytes_total{kind="data",direction="incoming"}"#
        let former = (Self.messages(.data, "incoming", "coalesced"), Self.value(bytes))
        for _ in 1...2 { SessionMetrics.count(.data, .incoming, .coalesced, bytes: 500_000_000) }
        let count = Self.messages(.data, "incoming", "coalesced") - former.0
        #expect(count == 2)
        // Other tests receive data as well, but not as much.
        let added = Self.value(bytes) - former.1
        #expect(added >= 1_000_000_000)
        #expect(added < 1_500_000_000)
        let others = Self.messages(.message, "incoming", "coalesced")
        #expect(others == 0)
    }

    @Test("The time to a reply is counted for the kind of the message")
    func replies() {
        let series = #"watchlink_reply_seconds_count{kind="file"}"#
        let former = Self.value(series)
        SessionMetrics.replied(.file, after: 0.5)
        let count = Self.value(series) - former
        #expect(count == 1)
    }

    @Test("A note is counted once, also in a ledger without room, and so is one of a commit", arguments: [0, 100])
    func notes(capacity: Int) throws {
        let scratch = try Scratch()
        let store = SessionStore(path: scratch.path("session.sqlite"))
        let queue = DispatchQueue(label: "test.store")
        let book = LedgerRecorder(store: store, capacity: capacity, queue: queue, logger: .silent)
        // One kind for each argument, as they may be tested at the same time.
        let kind = capacity == 0 ? TransferKind.context : .userInfo
        func note() -> LedgerNote { LedgerNote(UUID(), .outgoing, kind, device: nil, .replied, at: Date()) }
        let former = Self.messages(kind, "outgoing", "replied")
        book.note(note())
        let noted = Self.messages(kind, "outgoing", "replied") - former
        #expect(noted == 1)
        let own = note()
        try queue.sync {
            try book.committing { batch throws(DatabaseError) in try store.write(batch([own])) }
        }
        _ = try book.entries(LedgerQuery())
        let all = Self.messages(kind, "outgoing", "replied") - former
        #expect(all == 2)
    }
}
