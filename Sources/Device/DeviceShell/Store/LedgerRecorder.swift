package import DeviceEngine
package import Dispatch
package import EventLog
import Foundation
package import LinkProtocol
import Locking
package import SessionStorage
package import Storage

/// A recorder of the states of each message, which writes its notes in batches.
package final class LedgerRecorder: Sendable {
    /// The time for which notes wait for others. 20 ms: a commit for each would cost more than the message, and a crash
    /// loses at most this much of the notes about messages. Notes about outcomes of transfers are part of the transfers'
    /// own commits.
    private static let delay: DispatchTimeInterval = .milliseconds(20)
    /// The same time under load: rows that are written together share pages. Readers see all notes immediately in any
    /// case.
    private static let busyDelay: DispatchTimeInterval = .milliseconds(500)
    /// The number of messages in one write from which on the load counts as high.
    private static let busyEntries = 50
    /// The number of notes that triggers an immediate write. 20,000: a few megabytes.
    private static let manyNotes = 20_000
    /// The maximum number of waiting notes while the database is busy, three or four per message. 60,000: some
    /// megabytes; more are dropped and counted, as are those of a failed write.
    private static let waitingNotes = 60_000

    private struct Notes {
        var notes: [LedgerNote] = []
        /// The memory of written notes, reused for the next ones.
        var emptied: [LedgerNote] = []
        var dropped = 0
        var isFlushScheduled = false
        var delay = LedgerRecorder.delay
        var watchers: [@Sendable () -> Void] = []
    }

    private let store: SessionStore
    private let capacity: Int
    private let queue: DispatchQueue
    private let logger: Logger
    private let notes = Mutex(Notes())

    /// - Parameter queue: The queue on which the store is used.
    package init(store: SessionStore, capacity: Int, queue: DispatchQueue, logger: Logger) {
        self.store = store
        self.capacity = capacity
        self.queue = queue
        self.logger = logger
    }

    /// Records that a message reached a state. The ledger keeps the size and device of earlier notes if they are
    /// unknown here.
    package func note(_ note: LedgerNote) {
        SessionMetrics.count(note.kind, note.direction, note.state, bytes: note.bytes)
        guard capacity > 0 else { return }
        let delay = notes.withLock { notes -> DispatchTimeInterval? in
            guard notes.notes.count < Self.waitingNotes else {
                notes.dropped += 1
                return nil
            }
            notes.notes.append(note)
            if notes.notes.count == Self.manyNotes { return .nanoseconds(0) }
            defer { notes.isFlushScheduled = true }
            // A watcher waits for a change, so the shorter delay is used.
            return notes.isFlushScheduled ? nil : notes.watchers.isEmpty ? notes.delay : Self.delay
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + delay) { self.flush() }
    }

    /// Makes a commit that includes its own notes and all waiting notes: they hold if and only if it succeeds. Called
    /// on the store's queue.
    ///
    /// - Parameter body: Commits, and passes its notes to its argument.
    package func committing<Outcome>(
        _ body: (@escaping @Sendable ([LedgerNote]) -> LedgerBatch) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        let (pending, kept) = (takeNotes(), capacity)
        let own = Mutex<[LedgerNote]>([])
        do throws(DatabaseError) {
            let outcome = try body { notes in
                own.withLock { $0 = notes }
                return LedgerBatch(kept > 0 ? Self.entries(pending + notes) : [], capacity: kept)
            }
            for note in own.withLock({ $0 }) {
                SessionMetrics.count(note.kind, note.direction, note.state, bytes: note.bytes)
            }
            for watcher in takeWatchers() { watcher() }
            return outcome
        } catch {
            notes.withLock { $0.notes = pending + $0.notes }
            throw error
        }
    }

    private func takeNotes() -> [LedgerNote] {
        notes.withLock { notes in
            defer { notes.notes.removeAll(keepingCapacity: true) }
            return notes.notes
        }
    }

    private func takeWatchers() -> [@Sendable () -> Void] {
        notes.withLock { notes in
            defer { notes.watchers.removeAll() }
            return notes.watchers
        }
    }

    /// Returns the entries of the ledger, including waiting notes. Must not be called on the store's queue.
    package func entries(_ query: LedgerQuery) throws(DatabaseError) -> [LedgerEntry] {
        queue.sync { flush() }
        return try store.ledger(query)
    }

    /// Calls back at the next change of the ledger.
    package func whenChanged(_ watcher: @escaping @Sendable () -> Void) {
        notes.withLock { $0.watchers.append(watcher) }
    }

    /// Writes all notes. Called on the store's queue.
    package func flush() {
        var taken = Notes()
        notes.withLock { notes in
            swap(&notes, &taken)
            swap(&notes.notes, &taken.emptied)
            // Without a change, the watchers keep waiting.
            if taken.notes.isEmpty { swap(&notes.watchers, &taken.watchers) }
        }
        if taken.dropped > 0 {
            logger.log(.ledgerIncomplete, [.count(taken.dropped), .reason("too many notes were waiting")])
        }
        let isBusy = write(taken.notes)
        // Kept under load: allocating megabytes twice a second, on any thread, would fragment the memory.
        taken.notes.removeAll(keepingCapacity: isBusy)
        notes.withLock { notes in
            notes.delay = isBusy ? Self.busyDelay : Self.delay
            swap(&notes.emptied, &taken.notes)
        }
        for watcher in taken.watchers { watcher() }
    }

    /// - Returns: `true` if there are so many notes that waiting for more pays off.
    private func write(_ notes: [LedgerNote]) -> Bool {
        let entries = Self.entries(notes)
        guard !entries.isEmpty else { return false }
        do {
            try store.write(LedgerBatch(entries, capacity: capacity))
        } catch {
            // The ledger only records; its failure must not stop the device.
            logger.log(.ledgerIncomplete, [.count(entries.count), .error(error)])
        }
        return entries.count >= Self.busyEntries
    }

    /// Returns an entry for each message, in the order of their first notes.
    private static func entries(_ notes: [LedgerNote]) -> [LedgerEntry] {
        var places: (outgoing: [IdentifierKey: Int], incoming: [IdentifierKey: Int]) = ([:], [:])
        var entries: [LedgerEntry] = []
        for note in notes {
            let isOutgoing = note.direction == .outgoing
            let key = IdentifierKey(note.identifier)
            let place = (isOutgoing ? places.outgoing : places.incoming)[key] ?? entries.count
            if place == entries.count {
                if isOutgoing {
                    places.outgoing[key] = place
                } else {
                    places.incoming[key] = place
                }
                entries.append(
                    LedgerEntry(
                        identifier: note.identifier, direction: note.direction, kind: note.kind, device: note.device,
                        bytes: Int64(note.bytes), state: note.state))
            }
            entries[place].become(note.state, at: note.time, cause: note.cause, related: note.related)
            if let device = note.device { entries[place].device = device }
        }
        return entries
    }
}
