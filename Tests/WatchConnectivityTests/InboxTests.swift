import Dispatch
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The inbox")
struct InboxTests {
    @Test("A delegate that comes while the lack of one is being noted is given what waits")
    func reopened() throws {
        let scratch = try Scratch()
        let store = SessionStore(path: scratch.path("session.sqlite"))
        let queue = DispatchQueue(label: "test.store")
        let given = Collector<UUID>()
        let box = Collector<Inbox>()
        let inbox = Inbox(
            store: store, queue: queue,
            ledger: LedgerBook(store: store, capacity: 0, queue: queue, logger: .silent), logger: .silent,
            objects: TransferObjects { _ in },
            deliver: { transfer, done in
                given.add(transfer.identifier)
                guard given.all.count == 1 else { return done(.delivered) }
                // The delegate is set between the look for one and the note that there was none.
                box.all.first?.setOpen(true)
                done(.discarded)
            }, isAppReady: { true }, earlyTaskSpan: { nil }, onPending: { _ in }, onDelivered: {}, onArrival: {})
        box.add(inbox)
        inbox.setOpen(true)
        let identifier = UUID()
        inbox.arrived(
            ReceivedTransfer(
                identifier: identifier, peer: UUID(), kind: .userInfo, payload: Data([1]), receivedAt: Date()),
            bytes: 1, from: UUID(), startsRound: false
        ) { _ in }
        #expect(given.wait { $0 == [identifier, identifier] })
    }
}
