package import DeviceEngine
package import Dispatch
package import EventLog
import Foundation
package import LinkProtocol
import Locking
package import SessionStorage
package import Storage

/// Notes what becomes of each message, and writes the notes down a batch at a time.
package final class LedgerBook: Sendable {
    /// How long notes wait for others. 20 ms: a commit for each would cost more than the message; a crash loses no more than
    /// that of what is said of messages. What is said of a transfer's ends goes into the transfer's own commits.
    private static let delay: DispatchTimeInterval = .milliseconds(20)
    /// The same while messages come by the thousand: rows that are written together share pages. Who asks sees all notes at
    /// once in any case.
    private static let busyDelay: DispatchTimeInterval = .milliseconds(500)
    /// Messages in one writing from which on it is busy.
    private static let busyEntries = 50
    /// Notes that are written at once, however short they have waited. 20,000: a few megabytes.
    private static let manyNotes = 20_000
    /// Notes that may wait while the database is busy, three or four for each message. 60,000: some megabytes; more are dropped, and
    /// counted, as are those of a write that failed.
    private static let waitingNotes = 60_000

    private struct Notes {
        var notes: [LedgerNote] = []
        /// Memory of notes that were written, for the next ones.
        var emptied: [LedgerNote] = []
        var dropped = 0
        var isFlushScheduled = false
        var delay = LedgerBook.delay
        var watchers: [@Sendable () -> Void] = []
    }

    private let store: SessionStore
    private let capacity: Int
    private let queue: DispatchQueue
    private let logger: Logger
    private let notes = Mutex(Notes())

    /// - Parameter queue: Where the store is used.
    package init(store: SessionStore, capacity: Int, queue: DispatchQueue, logger: Logger) {
        self.store = store
        self.capacity = capacity
        self.queue = queue
        self.logger = logger
    }

    /// A message takes a state. The ledger keeps the bytes and the device of earlier notes if they are not known here.
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
            // Somebody waits for a change: it is told as soon as it can be.
            return notes.isFlushScheduled ? nil : notes.watchers.isEmpty ? notes.delay : Self.delay
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + delay) { self.flush() }
    }

    /// Makes a commit that notes are part of, with all notes that wait: they are true if and only if the commit is. On the store's queue.
    ///
    /// - Parameter body: Commits, and gives its notes to what it is called with.
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

    /// What the ledger holds, all notes included. Not on the store's queue.
    package func entries(_ query: LedgerQuery) throws(DatabaseError) -> [LedgerEntry] {
        queue.sync { flush() }
        return try store.ledger(query)
    }

    /// Calls back when the ledger changes next.
    package func whenChanged(_ watcher: @escaping @Sendable () -> Void) {
        notes.withLock { $0.watchers.append(watcher) }
    }

    /// Writes everything down. On the store's queue.
    package func flush() {
        var taken = Notes()
        notes.withLock { notes in
            swap(&notes, &taken)
            swap(&notes.notes, &taken.emptied)
            // Who waits for a change goes on waiting when there is none.
            if taken.notes.isEmpty { swap(&notes.watchers, &taken.watchers) }
        }
        if taken.dropped > 0 {
            logger.log(.ledgerIncomplete, [.count(taken.dropped), .reason("too many notes waited")])
        }
        let isBusy = write(taken.notes)
        // Megabytes that are taken anew twice a second, by whatever thread, would be left all over the process's memory.
        taken.notes.removeAll(keepingCapacity: isBusy)
        notes.withLock { notes in
            notes.delay = isBusy ? Self.busyDelay : Self.delay
            swap(&notes.emptied, &taken.notes)
        }
        for watcher in taken.watchers { watcher() }
    }

    /// - Returns: Whether there are so many that it is better to wait for more.
    private func write(_ notes: [LedgerNote]) -> Bool {
        let entries = Self.entries(notes)
        guard !entries.isEmpty else { return false }
        do {
            try store.write(LedgerBatch(entries, capacity: capacity))
        } catch {
            // A ledger tells of what happens; it must not stop it.
            logger.log(.ledgerIncomplete, [.count(entries.count), .error(error)])
        }
        return entries.count >= Self.busyEntries
    }

    /// What the notes say of each message, in the order of their first ones.
    private static func entries(_ notes: [LedgerNote]) -> [LedgerEntry] {
        var places: (outgoing: [UUID: Int], incoming: [UUID: Int]) = ([:], [:])
        var entries: [LedgerEntry] = []
        for note in notes {
            let isOutgoing = note.direction == .outgoing
            let place = (isOutgoing ? places.outgoing : places.incoming)[note.identifier] ?? entries.count
            if place == entries.count {
                if isOutgoing {
                    places.outgoing[note.identifier] = place
                } else {
                    places.incoming[note.identifier] = place
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
