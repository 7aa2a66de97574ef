import Foundation
import RecordStorage

/// A store either keeps files as it should, or refuses them.
extension ConformanceCase {
    static let files = [
        ConformanceCase("files", "a file is read as it was kept, as long as a record has it", filesWithRecords),
        ConformanceCase("files-first", "a record is stored only if its file is there", fileFirst),
        ConformanceCase(
            "file-contest", "a file stays for a record that is stored while the last one with it is deleted",
            fileContest),
        ConformanceCase("unclaimed-files", "a file waits a day for its record, and is then removed", unclaimedFiles),
    ]

    private static let hour = 3_600.0

    /// Opens a store of records with files; nil for one that keeps none, which must say so.
    private static func fileStore(_ trial: ConformanceTrial) throws -> (any RecordStore)? {
        let store = try trial.store(keepsFiles: true)
        guard !store.keepsFiles else { return store }
        let content = Data("a file".utf8)
        try refuses("a file") { () throws(StoreError) in try store.keep(content, at: ConformanceTrial.start) }
        try refuses("a record with a file") { () throws(StoreError) in
            _ = try store.insert(
                [ConformanceTrial.record(1, file: Data(repeating: 7, count: 32))], receivedAt: ConformanceTrial.start)
        }
        try ConformanceTrial.expect("records", try store.count(), is: 0)
        return nil
    }

    private static func refuses(_ what: String, _ body: () throws(StoreError) -> Void) throws(ConformanceFailure) {
        do throws(StoreError) {
            try body()
        } catch {
            return try ConformanceTrial.expect("the kind of error for \(what)", error.kind, is: .refused)
        }
        throw ConformanceFailure("\(what) was accepted by a store that keeps none")
    }

    @Sendable private static func filesWithRecords(_ trial: ConformanceTrial) throws {
        guard let store = try fileStore(trial) else { return }
        let (start, later) = (ConformanceTrial.start, ConformanceTrial.start.addingTimeInterval(100 * hour))
        let contents = [Data(), Data("a file".utf8), Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })]
        var names: [Data] = []
        for content in contents {
            let name = try store.keep(content, at: start)
            try ConformanceTrial.expect("the name of the same content", try store.keep(content, at: start), is: name)
            try ConformanceTrial.expect("the size of a name", name.count, is: 32)
            names.append(name)
        }
        // Two records have the last file.
        let records = zip([1, 2, 3, 4], names + [names[2]]).map { ConformanceTrial.record($0, file: $1) }
        for outcome in try store.insert(records, receivedAt: start) where ConformanceTrial.sequence(outcome) == nil {
            throw ConformanceFailure("a record whose file is there was not stored: \(outcome)")
        }
        try ConformanceTrial.expect("files in no record", try store.removeUnclaimedFiles(at: later), is: 0)
        store.close()
        for (content, name) in zip(contents, names) {
            try ConformanceTrial.expect("a file of a record", try store.content(of: name), is: content)
        }
        let shown = try ConformanceTrial.all(store).map(\.record.file)
        try ConformanceTrial.expect("the files of the records", shown, is: names + [names[2]])
        _ = try store.delete(records[2].key, deletedAt: later)
        try ConformanceTrial.expect(
            "the file that another record has", try store.content(of: names[2]), is: contents[2])
        _ = try store.delete(records[3].key, deletedAt: later)
        try ConformanceTrial.expect("the file that no record has", try store.content(of: names[2]), is: nil)
    }

    @Sendable private static func fileFirst(_ trial: ConformanceTrial) throws {
        guard let store = try fileStore(trial) else { return }
        let start = ConformanceTrial.start
        let there = try store.keep(Data("there".utf8), at: start)
        let absent = Data(repeating: 7, count: 32)
        try ConformanceTrial.expect("a file that was never kept", try store.content(of: absent), is: nil)
        try ConformanceTrial.expect(
            "the files that are there", try store.claim([there, absent], at: start), is: [there])
        let batch = [ConformanceTrial.record(1, file: there), ConformanceTrial.record(2, file: absent)]
        let outcomes: [InsertOutcome]
        do throws(StoreError) {
            outcomes = try store.insert(batch, receivedAt: start)
        } catch {
            try ConformanceTrial.expect("records after the error", try store.count(), is: 0)
            outcomes = []
        }
        try ConformanceTrial.check(outcomes.isEmpty, "a record without its file was stored: \(outcomes)")
        _ = try store.insert([batch[0]], receivedAt: start)
        try ConformanceTrial.expect("records", try ConformanceTrial.all(store).map(\.record.file), is: [there])
    }

    /// The rounds of a contest. 30: either side comes first in some.
    private static let rounds = 30

    @Sendable private static func fileContest(_ trial: ConformanceTrial) throws {
        guard let first = try fileStore(trial) else { return }
        let second = try trial.store("second", keepsFiles: true)
        let start = ConformanceTrial.start
        for round in 1...rounds {
            let content = Data("file \(round)".utf8)
            let file = try first.keep(content, at: start)
            let (old, new) = (
                ConformanceTrial.record(2 * round, file: file), ConformanceTrial.record(2 * round + 1, file: file)
            )
            _ = try first.insert([old], receivedAt: start)
            try ConformanceTrial.concurrently(2) { number in
                if number == 0 {
                    try ConformanceTrial.check(try first.delete(old.key, deletedAt: start), "a record was not deleted")
                } else {
                    try store(new, with: content, in: second)
                }
            }
            try ConformanceTrial.expect("the file of the record that stayed", try first.content(of: file), is: content)
            let found = try first.records(identifier: new.key.identifier).map(\.record.file)
            try ConformanceTrial.expect("the record that stayed", found, is: [file])
        }
    }

    /// Stores a record as a host does, which keeps the file again if it has gone meanwhile.
    @Sendable private static func store(_ record: Record, with content: Data, in store: any RecordStore) throws {
        while true {
            try store.keep(content, at: ConformanceTrial.start)
            let outcomes: [InsertOutcome]
            do throws(StoreError) {
                outcomes = try store.insert([record], receivedAt: ConformanceTrial.start)
            } catch {
                guard error.kind == .refused else { throw error }
                continue
            }
            guard case .stored? = outcomes.first else {
                return try ConformanceTrial.check(false, "a new record was not stored: \(outcomes)")
            }
            return
        }
    }

    @Sendable private static func unclaimedFiles(_ trial: ConformanceTrial) throws {
        guard let store = try fileStore(trial) else { return }
        let start = ConformanceTrial.start
        let (left, claimed) = (Data("left".utf8), Data("claimed".utf8))
        let names = [try store.keep(left, at: start), try store.keep(claimed, at: start)]
        let soon = start.addingTimeInterval(23 * hour)
        try ConformanceTrial.expect("removed within a day", try store.removeUnclaimedFiles(at: soon), is: 0)
        try ConformanceTrial.expect("claimed", try store.claim([names[1]], at: soon), is: [names[1]])
        let later = start.addingTimeInterval(25 * hour)
        try ConformanceTrial.expect("removed after a day", try store.removeUnclaimedFiles(at: later), is: 1)
        try ConformanceTrial.expect("the file that was left", try store.content(of: names[0]), is: nil)
        try ConformanceTrial.expect("the claimed file", try store.content(of: names[1]), is: claimed)
        let latest = start.addingTimeInterval(48 * hour)
        try ConformanceTrial.expect("removed a day after the claim", try store.removeUnclaimedFiles(at: latest), is: 1)
    }
}
