import CrashPoints
import DeviceEngine
import Dispatch
import Foundation
import LinkProtocol
import Locking
import SessionStorage
import Storage

/// The device's disk: carries out the engine's effects on the store, on one queue, and says how that went.
final class DeviceStore: Sendable {
    /// Does something to the engine, on the loop.
    typealias Report = @Sendable (_ verb: @escaping @Sendable (inout DeviceEngine, Moment) -> Void) -> Void

    private let home: DeviceHome
    private let app: @Sendable () -> (any DeviceApp)?
    private let report: Report

    /// - Parameters:
    ///   - app: The app that is told of what it may ask for, if it is still there.
    ///   - report: Tells the engine how something went.
    init(_ home: DeviceHome, app: @escaping @Sendable () -> (any DeviceApp)?, report: @escaping Report) {
        self.home = home
        self.app = app
        self.report = report
    }

    private var store: SessionStore { home.store }
    private var ledger: LedgerBook { home.ledger }
    private var queue: DispatchQueue { home.queue }

    // MARK: - From the application's threads

    /// Keeps a transfer: when this returns without an error it is durable.
    ///
    /// - Parameter onKept: Called on the queue with its position, and the context whose place it took.
    func keep(
        _ transfer: OutgoingTransfer, _ onKept: (OutgoingTransfer, _ replaced: UUID?) -> Void
    ) throws(DatabaseError) {
        let bytes = Int(transfer.file?.size ?? Int64(transfer.payload?.count ?? 0))
        let note = LedgerNote(
            transfer.identifier, .outgoing, transfer.kind, device: transfer.peer.known, bytes: bytes, .queued,
            at: transfer.queuedAt)
        try queue.sync {
            Result { () throws(DatabaseError) in
                let (position, replaced) = try ledger.committing { batch throws(DatabaseError) in
                    try store.queue(transfer) { replaced in
                        let coalesced = replaced.map {
                            LedgerNote.coalesced(
                                $0, by: transfer.identifier, .outgoing, device: note.device, at: note.time)
                        }
                        return batch((coalesced.map { [$0] } ?? []) + [note])
                    }
                }
                CrashPoint.transferQueued.pass()
                var kept = transfer
                kept.position = position
                onKept(kept, replaced)
            }
        }.get()
    }

    /// Waits until all that was asked for before is done.
    func catchUp() { queue.sync {} }

    // MARK: - Outgoing

    func load(_ identifiers: [UUID], batch: Int) {
        queue.async { [self] in
            do {
                var found: [UUID: OutgoingTransfer] = [:]
                for identifier in identifiers { found[identifier] = try store.outgoing(identifier) }
                report { [found] in $0.loaded(found, of: identifiers, batch: batch, at: $1) }
            } catch {
                report { $0.loadFailed(identifiers, batch: batch, reason: "\(error)", at: $1) }
            }
        }
    }

    func record(_ endings: [TransferStateMachine.Ending]) {
        queue.async { [self] in
            let ends = endings.map { (identifier: $0.identifier, ending: OutgoingTransfer.Ending($0)) }
            let time = Date()
            do {
                try ledger.committing { batch throws(DatabaseError) in
                    try store.settle(ends) { batch($0.map { Self.end(of: $0, at: time) }) }
                }
                report { $0.recorded(at: $1) }
            } catch {
                // The database has logged why.
                report { $0.recordFailed(at: $1) }
            }
        }
    }

    /// How a transfer ended, for the ledger.
    private static func end(of transfer: OutgoingTransfer, at time: Date) -> LedgerNote {
        let cause = transfer.ending?.code.map { _ in transfer.ending?.reason ?? "it failed without a reason" }
        return LedgerNote(
            transfer.identifier, .outgoing, transfer.kind, device: transfer.peer.known,
            cause == nil ? .delivered : .failed, at: time, cause: cause)
    }

    func forget(_ transfers: [UUID], _ notes: [LedgerNote]) {
        queue.async { [self] in
            do {
                try home.forget(transfers, notes)
                app()?.forgot(transfers)
                report { engine, _ in engine.forgotten(transfers) }
            } catch {
                report { $0.forgetFailed(transfers, notes, at: $1) }
            }
        }
    }

    func calm(_ transfer: UUID) {
        queue.async { [self] in
            do {
                try store.calm(transfer)
            } catch {
                // The database has logged why; after a restart it would count as a complication's again.
            }
        }
    }

    func adopt(_ peer: UUID) {
        queue.async { [self] in
            do {
                try store.adopt(peer, from: .unknownPeer)
            } catch {
                // The database has logged why: the engine asks again.
                return
            }
            app()?.adopted(peer)
            report { $0.adopted(peer, at: $1) }
        }
    }

    func forgetContexts(of peer: UUID) {
        queue.async { [self] in
            app()?.forgotContexts(of: peer)
            do {
                try store.forgetContexts(of: peer)
            } catch {
                // The database has logged why; an old context is given to nobody, as its watch is gone.
            }
        }
    }

    func readEnded() {
        queue.async { [self] in
            do {
                let ended = try store.ended()
                report { engine, _ in engine.endedRead(ended) }
            } catch {
                // The database has logged why.
                report { $0.endedUnread(at: $1) }
            }
        }
    }

    // MARK: - Incoming

    func keep(_ arrivals: [DeviceEngine.Arrival]) {
        queue.async { [self] in
            let time = Date()
            do {
                let outcomes = try ledger.committing { notes throws(DatabaseError) in
                    try store.receive(arrivals.map(\.transfer)) { outcomes in
                        notes(zip(arrivals, outcomes).flatMap { $0.notes($1, at: time) })
                    }
                }
                CrashPoint.transferKept.pass()
                let span = tell(zip(arrivals, outcomes)) ? app()?.earlyTaskSpan() : nil
                report { $0.kept(outcomes, keepingBack: span, at: $1) }
            } catch {
                report { $0.notKept(reason: "\(error)", at: $1) }
            }
        }
    }

    /// - Returns: Whether there is anything new.
    private func tell(
        _ arrivals: some Sequence<(DeviceEngine.Arrival, ReceiveOutcome)>
    ) -> Bool {
        var isNew = false
        for (arrival, outcome) in arrivals {
            guard case .stored = outcome else { continue }
            isNew = true
            if arrival.transfer.kind == .context, let payload = arrival.transfer.payload {
                app()?.receivedContext(payload, from: arrival.transfer.peer)
            }
        }
        return isNew
    }

    func readInbox(after position: Int64, limit: Int) {
        queue.async { [self] in
            do {
                let transfers = try store.inbox(after: position, limit: limit)
                report { engine, _ in engine.inboxRead(transfers) }
            } catch {
                // The database has logged why.
                report { $0.inboxUnread(at: $1) }
            }
        }
    }

    func remove(_ positions: [Int64], _ notes: [LedgerNote]) {
        queue.async { [self] in
            do {
                try ledger.committing { batch throws(DatabaseError) in
                    try store.delivered(positions) { batch(notes) }
                }
            } catch {
                // The database has logged why. They stay there, and would be given again after a restart: at least once is kept.
            }
            report { $0.removed(at: $1) }
        }
    }
}
