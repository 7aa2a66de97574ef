import Files
import Foundation

/// The copy of all records of one store into another of the same kind, while both are in use.
///
/// Nothing is kept about its progress, and nothing has to be: each record is compared by its key and its digests, and only
/// what differs is sent. So a migration that was interrupted is run again, and a finished one run again copies what came
/// meanwhile.
///
/// A deletion in either store wins; of two changes of a record, the later one. Nothing is removed from the source.
package struct RecordMigration {
    /// The records or traces that are compared at once. 500: as many as a page of records has at most.
    private static let pageSize = 500

    private let source: any RecordStore
    private let target: any RecordStore
    private let progress: (_ done: Int, _ total: Int) -> Void
    private var report = RecordMigrationReport()
    private var done = 0
    private var total = 0
    /// The records of the first pass that were deleted or changed in the source before they were verified.
    private var movedOn = 0

    /// - Parameter progress: Called with the number of records that were copied or verified, and an estimate of all.
    package init(
        from source: any RecordStore, to target: any RecordStore,
        progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
        (self.source, self.target, self.progress) = (source, target, progress)
    }

    /// Copies all records and traces of deleted ones, and then reads the whole target to compare it with the source.
    ///
    /// - Throws: The error of a store: what was copied before it stays.
    package mutating func run() throws(StoreError) -> RecordMigrationReport {
        // Every record is met twice: when it is copied, and when it is verified.
        total = 2 * (try source.count())
        // First the traces, so that a watch that sends a deleted record late does not bring it back there.
        try copyTraces()
        let last = try copy(after: .start)
        let met = done
        try verify()
        let explained =
            report.verified + movedOn + report.conflicts.count + report.newerInTarget + report.deletedInTarget
        report.unverified = max(0, met - explained)
        // What changed while the first pass ran.
        try copyTraces()
        _ = try copy(after: last)
        (report.inSource, report.inTarget) = (try source.count(), try target.count())
        return report
    }

    private mutating func advance(_ count: Int) {
        done += count
        progress(done, max(done, total))
    }

    // MARK: - Copying

    private mutating func copyTraces() throws(StoreError) {
        var last: RecordKey?
        while true {
            let traces = try source.deletions(after: last, limit: Self.pageSize)
            guard let end = traces.last?.key else { return }
            report.deleted += try target.delete(traces)
            last = end
        }
    }

    /// Copies the records after a cursor. Returns that of the last one.
    private mutating func copy(after start: RecordCursor) throws(StoreError) -> RecordCursor {
        var last = start
        while true {
            let page = try source.records(after: last, limit: Self.pageSize)
            guard let end = page.last?.cursor else { return last }
            try settle(page)
            last = end
            advance(page.count)
        }
    }

    /// A record of the source with its archive as received.
    private struct Copied {
        let stored: StoredRecord
        let received: Data
    }

    /// Brings some records of the target to their state in the source.
    private mutating func settle(_ page: [StoredRecord]) throws(StoreError) {
        var (new, changed): ([Copied], [Copied]) = ([], [])
        for (stored, state) in zip(page, try target.states(of: page.map(\.record.key))) {
            guard let copied = try self.copied(stored) else { continue }
            switch state {
            case .deleted: report.deletedInTarget += 1
            case .absent: new.append(copied)
            case .stored(let received, let present, let updatedAt):
                if received != ContentDigest.of(copied.received) {
                    report.conflicts.insert(stored.record.key)
                } else if updatedAt == stored.updatedAt, present == ContentDigest.of(stored.record.archive) {
                    report.present += 1
                } else if isLater(stored.updatedAt, updatedAt) {
                    changed.append(copied)
                } else {
                    report.newerInTarget += 1
                }
            }
        }
        try insert(new)
        for copied in changed {
            try update(copied)
            report.changed += 1
        }
    }

    /// Returns nil if the record was deleted meanwhile.
    private func copied(_ stored: StoredRecord) throws(StoreError) -> Copied? {
        guard stored.updatedAt != nil else { return Copied(stored: stored, received: stored.record.archive) }
        return try source.receivedArchive(stored.record.key).map { Copied(stored: stored, received: $0) }
    }

    private func isLater(_ time: Date?, _ other: Date?) -> Bool {
        guard let time else { return false }
        return other.map { $0 < time } ?? true
    }

    /// Copies the files of records before those.
    private func copyFiles(of new: [Copied]) throws(StoreError) {
        let files = Set(new.compactMap(\.stored.record.file))
        guard !files.isEmpty else { return }
        guard target.keepsFiles else {
            throw StoreError(
                .refused,
                "some \(target.kind.plural) have files, and the database to copy to keeps none; copy them to a file")
        }
        for file in files.subtracting(try target.claim(files, at: Date())) {
            // Nil if its record was deleted meanwhile.
            if let content = try source.content(of: file) { try target.keep(content, at: Date()) }
        }
    }

    /// Inserts records as they were received, and then the changes of those that were changed.
    private mutating func insert(_ new: [Copied]) throws(StoreError) {
        guard !new.isEmpty else { return }
        try copyFiles(of: new)
        let outcomes = try target.insert(
            new.map { copied in
                let record = copied.stored.record
                return RecordArrival(
                    Record(
                        key: record.key, values: record.values, archive: copied.received, file: record.file),
                    receivedAt: copied.stored.receivedAt)
            })
        for (copied, outcome) in zip(new, outcomes) {
            switch outcome {
            case .stored: report.copied += 1
            // A watch that sends again was faster.
            case .repeated: report.present += 1
            case .conflict:
                report.conflicts.insert(copied.stored.record.key)
                continue
            }
            if copied.stored.updatedAt != nil { try update(copied) }
        }
    }

    private func update(_ copied: Copied) throws(StoreError) {
        guard let time = copied.stored.updatedAt else { return }
        // False if it was deleted there meanwhile: the deletion wins.
        _ = try target.update(copied.stored.record, updatedAt: time)
    }

    // MARK: - Verification

    /// Reads every record of the target, and compares its bytes with the source's.
    private mutating func verify() throws(StoreError) {
        var last = RecordCursor.start
        while true {
            let page = try target.records(after: last, limit: Self.pageSize)
            guard let end = page.last?.cursor else { return }
            for (stored, state) in zip(page, try source.states(of: page.map(\.record.key))) {
                try verify(stored, state)
            }
            last = end
            advance(page.count)
        }
    }

    private mutating func verify(_ stored: StoredRecord, _ state: RecordState) throws(StoreError) {
        switch state {
        case .absent: report.onlyInTarget += 1
        // Its trace follows with the next ones.
        case .deleted: movedOn += 1
        case .stored(let received, let present, let updatedAt):
            let key = stored.record.key
            // Nil if it was deleted there meanwhile.
            guard let own = stored.updatedAt == nil ? stored.record.archive : try target.receivedArchive(key) else {
                return
            }
            guard received == ContentDigest.of(own) else {
                report.conflicts.insert(key)
                return
            }
            if updatedAt == stored.updatedAt {
                guard present == ContentDigest.of(stored.record.archive) else {
                    report.conflicts.insert(key)
                    return
                }
                report.verified += 1
            } else if isLater(updatedAt, stored.updatedAt) {
                movedOn += 1
                try settle(try source.records(identifier: key.identifier).filter { $0.record.key == key })
            }
        }
    }
}
