import CrashPoints
import DeviceEngine
import Dispatch
import Foundation
import LinkProtocol
import Locking
import SessionStorage
import Storage

/// The device's store: performs the engine's effects on the database on one queue, and reports the results.
final class DeviceStore: Sendable {
    /// Calls a method of the engine, on the loop.
    typealias Report = @Sendable (_ verb: @escaping @Sendable (inout DeviceEngine, Moment) -> Void) -> Void

    private let home: DeviceHome
    private let app: @Sendable () -> (any DeviceApp)?
    private let report: Report

    /// - Parameters:
    ///   - app: Returns the app, if it still exists.
    ///   - report: Reports a result to the engine.
    init(_ home: DeviceHome, app: @escaping @Sendable () -> (any DeviceApp)?, report: @escaping Report) {
        self.home = home
        self.app = app
        self.report = report
    }

    private var store: SessionStore { home.store }
    private var ledger: LedgerRecorder { home.ledger }
    private var queue: DispatchQueue { home.queue }

    // MARK: - From the application's threads

    /// Stores a transfer: when this returns without an error, the transfer is durable.
    ///
    /// - Parameter onKept: Called on the queue with the stored transfer and the context that it replaced.
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

    /// Waits until all earlier requests are done.
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
                // The database has logged the reason.
                report { $0.recordFailed(at: $1) }
            }
        }
    }

    /// Returns the ledger note for a transfer's outcome.
    private static func end(of transfer: OutgoingTransfer, at time: Date) -> LedgerNote {
        let cause = transfer.ending?.code.map { _ in transfer.ending?.reason ?? "the transfer failed without a reason" }
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

    func demote(_ transfer: UUID) {
        queue.async { [self] in
            do {
                try store.demote(transfer)
            } catch {
                // The database has logged the reason; after a restart it would count as a complication transfer again.
            }
        }
    }

    func adopt(_ peer: UUID) {
        queue.async { [self] in
            do {
                try store.adopt(peer, from: .unknownPeer)
            } catch {
                // The database has logged the reason; the engine retries.
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
                // The database has logged the reason; an old context reaches no one, because its watch is gone.
            }
        }
    }

    func readEnded() {
        queue.async { [self] in
            do {
                let ended = try store.ended()
                report { engine, _ in engine.endedRead(ended) }
            } catch {
                // The database has logged the reason.
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

    /// - Returns: `true` if any arrival is new.
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
                // The database has logged the reason.
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
                // The database has logged the reason.
                return report { $0.notRemoved(at: $1) }
            }
            report { $0.removed(at: $1) }
        }
    }
}
