import Foundation
import RecordStorage

extension ConformanceCase {
    static let removal = [
        ConformanceCase("deletion", "a deleted record stays deleted, whatever comes late", deletion),
        ConformanceCase("change", "a changed record shows its change, and keeps its archive as received", change),
        ConformanceCase("expiry", "expiring takes the oldest up to the limit, and keeps no trace", expiry),
        ConformanceCase("expiry-by-count", "expiring keeps the latest records", expiryByCount),
        ConformanceCase("traces", "the traces of deleted records are read page by page, each once", traces),
        ConformanceCase(
            "foreign-traces", "what was deleted elsewhere is deleted here, and does not come late", foreignTraces),
        ConformanceCase("states", "the state of each key has the digests of what is stored", states),
        ConformanceCase("numbers-not-reused", "the number of a removed record is not used again", numbersNotReused),
    ]

    @Sendable private static func deletion(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert((1...3).map { ConformanceTrial.arrival($0) })
        let key = ConformanceTrial.record(2).key
        try ConformanceTrial.expect("delete", try store.delete(key, deletedAt: ConformanceTrial.start), is: true)
        try ConformanceTrial.expect("again", try store.delete(key, deletedAt: ConformanceTrial.start), is: false)
        let late = try store.insert([ConformanceTrial.arrival(2), ConformanceTrial.arrival(2)])
        try ConformanceTrial.expect("the late duplicate, twice", late, is: [.repeated, .repeated])
        try ConformanceTrial.expect("its archive", try store.receivedArchive(key), is: nil)
        try ConformanceTrial.expect(
            "its change", try store.update(ConformanceTrial.record(2), updatedAt: ConformanceTrial.start), is: false)
        try ConformanceTrial.expect("by identifier", try store.records(identifier: key.identifier), is: [])
        try ConformanceTrial.expect(
            "records", try ConformanceTrial.all(store).map(\.record.key.identifier),
            is: [1, 3].map(ConformanceTrial.identifier))
        try ConformanceTrial.expect("latest", try store.latestRecords(limit: 9).count, is: 2)
        try ConformanceTrial.expect("count", try store.count(), is: 2)
        store.close()
        try ConformanceTrial.expect(
            "the late duplicate after reopening", try store.insert([ConformanceTrial.arrival(2)]), is: [.repeated])
    }

    @Sendable private static func change(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert((1...2).map { ConformanceTrial.arrival($0) })
        let key = ConformanceTrial.record(1).key
        let received = ConformanceTrial.record(1).archive
        let before = try store.records(identifier: key.identifier).first?.sequence
        for round in 1...2 {
            let changed = ConformanceTrial.record(
                1, archive: Data("change \(round)".utf8), title: "Change \(round)")
            let time = ConformanceTrial.time(100 + round)
            try ConformanceTrial.expect("update", try store.update(changed, updatedAt: time), is: true)
            guard let found = try store.records(identifier: key.identifier).first else {
                throw ConformanceFailure("the changed record is not there")
            }
            try ConformanceTrial.expect(found.record, is: changed)
            try ConformanceTrial.expect("time of the change", found.updatedAt, is: time)
            try ConformanceTrial.expect("time of arrival", found.receivedAt, is: ConformanceTrial.time(1))
            try ConformanceTrial.expect("number", found.sequence, is: before)
            try ConformanceTrial.expect("archive as received", try store.receivedArchive(key), is: received)
        }
        try ConformanceTrial.expect(
            "the record as received, again", try store.insert([ConformanceTrial.arrival(1)]), is: [.repeated])
        let copy = ConformanceTrial.record(1, archive: Data("change 2".utf8))
        try ConformanceTrial.expect(
            "the changed bytes as an arrival", try store.insert([copy], receivedAt: ConformanceTrial.start),
            is: [.conflict])
        try ConformanceTrial.expect("count", try store.count(), is: 2)
    }

    private static func identifiers(_ keys: [RecordKey]) -> Set<UUID> { Set(keys.map(\.identifier)) }

    @Sendable private static func expiry(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert((1...10).map { ConformanceTrial.arrival($0) })
        let early = try store.expire(receivedBefore: ConformanceTrial.time(1), keeping: nil, limit: 100)
        try ConformanceTrial.expect("before the first", early, is: [])
        let some = try store.expire(receivedBefore: ConformanceTrial.time(6), keeping: nil, limit: 3)
        try ConformanceTrial.expect(
            "three of five", identifiers(some), is: Set((1...3).map(ConformanceTrial.identifier)))
        let rest = try store.expire(receivedBefore: ConformanceTrial.time(6), keeping: nil, limit: 100)
        try ConformanceTrial.expect("the rest", identifiers(rest), is: Set((4...5).map(ConformanceTrial.identifier)))
        try ConformanceTrial.expect("count", try store.count(), is: 5)
        let none = try store.expire(receivedBefore: nil, keeping: nil, limit: 100)
        try ConformanceTrial.expect("without a reason", none, is: [])
        let outcomes = try store.insert([ConformanceTrial.arrival(1)])
        try ConformanceTrial.check(
            outcomes.first.flatMap(ConformanceTrial.sequence) != nil, "an expired record came again: \(outcomes)")
    }

    @Sendable private static func expiryByCount(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert((1...10).map { ConformanceTrial.arrival($0) })
        try ConformanceTrial.expect(
            "keeping 10", try store.expire(receivedBefore: nil, keeping: 10, limit: 100), is: [])
        let two = try store.expire(receivedBefore: nil, keeping: 7, limit: 2)
        try ConformanceTrial.expect("two of three", identifiers(two), is: Set((1...2).map(ConformanceTrial.identifier)))
        let both = try store.expire(receivedBefore: ConformanceTrial.time(6), keeping: 7, limit: 100)
        try ConformanceTrial.expect("by either", identifiers(both), is: Set((3...5).map(ConformanceTrial.identifier)))
        let all = try store.expire(receivedBefore: nil, keeping: 0, limit: 100)
        try ConformanceTrial.expect("all", identifiers(all), is: Set((6...10).map(ConformanceTrial.identifier)))
        try ConformanceTrial.expect("count", try store.count(), is: 0)
    }

    @Sendable private static func numbersNotReused(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        let first = try store.insert((1...3).map { ConformanceTrial.arrival($0) })
        _ = try store.delete(ConformanceTrial.record(3).key, deletedAt: ConformanceTrial.start)
        _ = try store.expire(receivedBefore: nil, keeping: 0, limit: 100)
        store.close()
        let next = try store.insert([ConformanceTrial.arrival(4)])
        let highest = first.compactMap(ConformanceTrial.sequence).max() ?? 0
        let sequence = next.first.flatMap(ConformanceTrial.sequence) ?? 0
        try ConformanceTrial.check(sequence > highest, "\(sequence) came after \(highest)")
    }
}
