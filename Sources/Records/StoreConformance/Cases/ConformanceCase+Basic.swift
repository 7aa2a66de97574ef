import Foundation
import RecordStorage

extension ConformanceCase {
    static let basic = [
        ConformanceCase("order", "records are stored in their order, with ascending numbers", order),
        ConformanceCase(
            "exactly-once", "a repeat is not stored again, and other bytes under the same key are a conflict",
            exactlyOnce),
        ConformanceCase(
            "repeats-in-a-batch", "repeats inside a batch are answered as if each were inserted after the other",
            repeatsInABatch),
        ConformanceCase("same-identifier", "different devices may use the same identifier", sameIdentifier),
        ConformanceCase("empty-batch", "an empty batch changes nothing", emptyBatch),
        ConformanceCase("absent", "a record that does not exist is no error", absent),
        ConformanceCase("reopening", "everything is there after closing and opening again", reopening),
        ConformanceCase("large-batch", "a batch of 5,000 records is stored completely, in its order", largeBatch),
        ConformanceCase(
            "misshapen", "a record whose columns are not those of the kind is refused, and nothing is stored with it",
            misshapen),
    ]

    @Sendable private static func order(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        let first = try store.insert((1...5).map { ConformanceTrial.arrival($0) })
        let second = try store.insert((6...9).map { ConformanceTrial.arrival($0) })
        let sequences = (first + second).compactMap(ConformanceTrial.sequence)
        try ConformanceTrial.expect("number of stored records", sequences.count, is: 9)
        try ConformanceTrial.expect("sequence numbers", sequences, is: sequences.sorted())
        try ConformanceTrial.expect("different numbers", Set(sequences).count, is: 9)
        let found = try ConformanceTrial.all(store)
        try ConformanceTrial.expect(
            "identifiers in the store's order", found.map(\.record.key.identifier),
            is: (1...9).map(ConformanceTrial.identifier))
        try ConformanceTrial.expect("numbers in the store's order", found.map(\.sequence), is: sequences)
        for (place, record) in found.enumerated() {
            try ConformanceTrial.expect(record.record, is: ConformanceTrial.record(place + 1))
            try ConformanceTrial.expect("arrival", record.receivedAt, is: ConformanceTrial.time(place + 1))
            try ConformanceTrial.expect("change", record.updatedAt, is: nil)
        }
        try ConformanceTrial.expect("count", try store.count(), is: 9)
        try store.look()
    }

    @Sendable private static func exactlyOnce(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        let first = try store.insert([ConformanceTrial.arrival(1)])
        try ConformanceTrial.check(first.first.flatMap(ConformanceTrial.sequence) != nil, "the first is \(first)")
        let again = try store.insert([ConformanceTrial.arrival(1)])
        try ConformanceTrial.expect("the same record again", again, is: [.repeated])
        let other = ConformanceTrial.record(1, archive: Data("other bytes".utf8))
        try ConformanceTrial.expect(
            "other bytes", try store.insert([other], receivedAt: ConformanceTrial.time(2)), is: [.conflict])
        let renamed = ConformanceTrial.record(1, title: "Another title")
        try ConformanceTrial.expect(
            "the same bytes with other columns", try store.insert([renamed], receivedAt: ConformanceTrial.time(3)),
            is: [.repeated])
        let mixed = try store.insert([
            ConformanceTrial.arrival(1), ConformanceTrial.arrival(2),
            RecordArrival(other, receivedAt: ConformanceTrial.time(4)), ConformanceTrial.arrival(3),
        ])
        try ConformanceTrial.expect(
            "known and new records in one batch",
            mixed.map { ConformanceTrial.sequence($0) == nil ? $0 : .stored(sequence: 0) },
            is: [.repeated, .stored(sequence: 0), .conflict, .stored(sequence: 0)])
        let found = try ConformanceTrial.all(store)
        try ConformanceTrial.expect("number of records", found.count, is: 3)
        for (place, record) in found.enumerated() {
            try ConformanceTrial.expect(record.record, is: ConformanceTrial.record(place + 1))
        }
        try ConformanceTrial.expect("count", try store.count(), is: 3)
    }

    @Sendable private static func repeatsInABatch(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        func arrival(_ number: Int, _ text: String) -> RecordArrival {
            RecordArrival(
                ConformanceTrial.record(number, archive: Data(text.utf8)), receivedAt: ConformanceTrial.time(number))
        }
        let outcomes = try store.insert([
            arrival(1, "a"), arrival(1, "a"), arrival(2, "b"), arrival(1, "x"), arrival(2, "b"), arrival(1, "a"),
        ])
        let plain = outcomes.map { ConformanceTrial.sequence($0) == nil ? $0 : .stored(sequence: 0) }
        try ConformanceTrial.expect(
            "outcomes", plain,
            is: [.stored(sequence: 0), .repeated, .stored(sequence: 0), .conflict, .repeated, .repeated])
        // Now the first of the batch is the stranger.
        try ConformanceTrial.expect(
            "outcomes after a conflict", try store.insert([arrival(1, "x"), arrival(1, "a"), arrival(1, "x")]),
            is: [.conflict, .repeated, .conflict])
        try ConformanceTrial.expect("count", try store.count(), is: 2)
        try ConformanceTrial.expect("records", try ConformanceTrial.all(store).count, is: 2)
    }

    @Sendable private static func sameIdentifier(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        let other = UUID()
        let outcomes = try store.insert([ConformanceTrial.arrival(1), ConformanceTrial.arrival(1, device: other)])
        try ConformanceTrial.expect("stored", outcomes.compactMap(ConformanceTrial.sequence).count, is: 2)
        let found = try store.records(identifier: ConformanceTrial.identifier(1))
        try ConformanceTrial.expect("devices", found.map(\.record.key.device), is: [ConformanceTrial.device, other])
        _ = try store.delete(
            RecordKey(ConformanceTrial.identifier(1), device: other), deletedAt: ConformanceTrial.start)
        let left = try store.records(identifier: ConformanceTrial.identifier(1))
        try ConformanceTrial.expect("devices left", left.map(\.record.key.device), is: [ConformanceTrial.device])
    }

    @Sendable private static func emptyBatch(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        try ConformanceTrial.expect("outcomes", try store.insert([]), is: [])
        try ConformanceTrial.expect("count", try store.count(), is: 0)
        try ConformanceTrial.expect("records", try store.records(after: .start, limit: 10), is: [])
    }

    @Sendable private static func absent(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert([ConformanceTrial.arrival(1)])
        let key = ConformanceTrial.record(2).key
        try ConformanceTrial.expect("archive", try store.receivedArchive(key), is: nil)
        try ConformanceTrial.expect(
            "update", try store.update(ConformanceTrial.record(2), updatedAt: ConformanceTrial.start), is: false)
        try ConformanceTrial.expect(
            "delete", try store.delete(key, deletedAt: ConformanceTrial.start), is: false)
        try ConformanceTrial.expect("records", try store.records(identifier: key.identifier), is: [])
        try ConformanceTrial.expect("count", try store.count(), is: 1)
    }

    @Sendable private static func reopening(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert((1...3).map { ConformanceTrial.arrival($0) })
        let before = try ConformanceTrial.all(store)
        store.close()
        try ConformanceTrial.expect("records after closing", try ConformanceTrial.all(store), is: before)
        store.close()
        let again = try trial.store()
        try ConformanceTrial.expect("records of a second opening", try ConformanceTrial.all(again), is: before)
        let outcomes = try again.insert([ConformanceTrial.arrival(3), ConformanceTrial.arrival(4)])
        try ConformanceTrial.expect("the repeat", outcomes.first, is: .repeated)
        let last = outcomes.last.flatMap(ConformanceTrial.sequence) ?? 0
        let previous = before.map(\.sequence).max() ?? 0
        try ConformanceTrial.check(last > previous, "the next number is \(last), after \(previous)")
    }

    @Sendable private static func largeBatch(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        let outcomes = try store.insert((1...5_000).map { ConformanceTrial.arrival($0) })
        let sequences = outcomes.compactMap(ConformanceTrial.sequence)
        try ConformanceTrial.expect("number of stored records", sequences.count, is: 5_000)
        try ConformanceTrial.check(sequences == sequences.sorted(), "the numbers do not ascend")
        let found = try ConformanceTrial.all(store, limit: 777)
        try ConformanceTrial.check(
            found.map(\.record.key.identifier) == (1...5_000).map(ConformanceTrial.identifier),
            "the pages have \(found.count) records, not the 5,000 in their order")
    }

    @Sendable private static func misshapen(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        let good = ConformanceTrial.record(1)
        let wrong: [[RecordValue]] = [
            [], good.values.dropLast(), good.values + [.integer(1)], [.integer(1)] + good.values.dropFirst(),
        ]
        for values in wrong {
            let record = Record(
                key: ConformanceTrial.record(2).key, values: Array(values), archive: Data("x".utf8))
            do {
                let outcomes = try store.insert([good, record], receivedAt: ConformanceTrial.start)
                throw ConformanceFailure("the columns \(values) were answered with \(outcomes)")
            } catch let error as StoreError {
                try ConformanceTrial.expect("kind of error (\(error))", error.kind, is: .refused)
            }
        }
        try ConformanceTrial.expect("count", try store.count(), is: 0)
    }
}
