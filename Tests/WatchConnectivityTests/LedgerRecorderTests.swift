import DeviceEngine
import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import Storage
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The ledger's book")
struct LedgerRecorderTests {
    @Test("Notes that waited for a failed commit are written later; notes of the commit itself are dropped")
    func failedCommit() throws {
        let scratch = try Scratch()
        let store = SessionStore(path: scratch.path("session.sqlite"))
        let queue = DispatchQueue(label: "test.store")
        let book = LedgerRecorder(store: store, capacity: 100, queue: queue, logger: .silent)
        let (waiting, failing) = (UUID(), UUID())
        let transfer = OutgoingTransfer(
            identifier: failing, peer: UUID(), kind: .userInfo, payload: Data([1]), queuedAt: Date())
        let note = LedgerNote(failing, .outgoing, .userInfo, device: nil, .queued, at: Date())
        let arrived = try store.inboxCount()
        #expect(arrived == 0)
        try DiskFault.full.apply(to: scratch.path)
        #expect(throws: DatabaseError.self) {
            try queue.sync {
                // On the queue, so that nothing is written before.
                book.note(LedgerNote(waiting, .outgoing, .message, device: nil, .sent, at: Date()))
                _ = try book.committing { batch throws(DatabaseError) in
                    try store.queue(transfer) { _ in batch([note]) }
                }
            }
        }
        try queue.sync { try DiskFault.none.apply(to: scratch.path) }
        let written = try book.entries(LedgerQuery()).map(\.identifier)
        #expect(written == [waiting])
    }
}
