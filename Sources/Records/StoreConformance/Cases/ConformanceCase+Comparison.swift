import Files
import Foundation
import RecordStorage

extension ConformanceCase {
    @Sendable static func traces(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        try ConformanceTrial.expect("none", try store.deletions(after: nil, limit: 10), is: [])
        _ = try store.insert((1...9).map { ConformanceTrial.arrival($0) })
        let other = ConformanceTrial.identifier(99)
        _ = try store.insert([ConformanceTrial.arrival(3, device: other)])
        var expected: Set<RecordDeletion> = []
        for number in [7, 3, 5, 1, 9] {
            let deletion = RecordDeletion(
                ConformanceTrial.record(number).key, deletedAt: ConformanceTrial.time(100 + number))
            expected.insert(deletion)
            _ = try store.delete(deletion.key, deletedAt: deletion.deletedAt)
        }
        // The same identifier, of another device.
        let twin = RecordDeletion(
            ConformanceTrial.record(3, device: other).key, deletedAt: ConformanceTrial.time(200))
        expected.insert(twin)
        _ = try store.delete(twin.key, deletedAt: twin.deletedAt)
        var (found, last): ([RecordDeletion], RecordKey?) = ([], nil)
        while true {
            let page = try store.deletions(after: last, limit: 2)
            guard let end = page.last?.key else { break }
            try ConformanceTrial.check(page.count <= 2, "a page of up to 2 traces has \(page.count)")
            found += page
            last = end
        }
        try ConformanceTrial.expect("number of traces", found.count, is: expected.count)
        try ConformanceTrial.expect("traces", Set(found), is: expected)
    }

    @Sendable static func foreignTraces(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        try ConformanceTrial.expect("none", try store.delete([]), is: 0)
        _ = try store.insert((1...3).map { ConformanceTrial.arrival($0) })
        _ = try store.delete(ConformanceTrial.record(3).key, deletedAt: ConformanceTrial.time(50))
        // One that is here, one that never was, of a device that never was, and one that was deleted here before.
        let device = ConformanceTrial.identifier(77)
        let deletions = [
            RecordDeletion(ConformanceTrial.record(2).key, deletedAt: ConformanceTrial.time(60)),
            RecordDeletion(ConformanceTrial.record(8, device: device).key, deletedAt: ConformanceTrial.time(61)),
            RecordDeletion(ConformanceTrial.record(3).key, deletedAt: ConformanceTrial.time(62)),
        ]
        try ConformanceTrial.expect("new traces", try store.delete(deletions), is: 2)
        try ConformanceTrial.expect("again", try store.delete(deletions), is: 0)
        try ConformanceTrial.expect("count", try store.count(), is: 1)
        let late = try store.insert([
            ConformanceTrial.arrival(2), ConformanceTrial.arrival(8, device: device), ConformanceTrial.arrival(4),
        ])
        try ConformanceTrial.expect("late duplicates", Array(late.prefix(2)), is: [.repeated, .repeated])
        try ConformanceTrial.check(
            late.last.flatMap(ConformanceTrial.sequence) != nil, "a record after traces was not stored: \(late)")
        try ConformanceTrial.expect(
            "records", try ConformanceTrial.all(store).map(\.record.key.identifier),
            is: [1, 4].map(ConformanceTrial.identifier))
        let times = Dictionary(
            try store.deletions(after: nil, limit: 10).map { ($0.key, $0.deletedAt) }, uniquingKeysWith: { $1 })
        try ConformanceTrial.expect("number of traces", times.count, is: 3)
        try ConformanceTrial.expect(
            "time of the first deletion", times[ConformanceTrial.record(3).key], is: ConformanceTrial.time(50))
        try ConformanceTrial.expect(
            "time of a deletion elsewhere", times[deletions[1].key], is: ConformanceTrial.time(61))
    }

    @Sendable static func states(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert((1...3).map { ConformanceTrial.arrival($0) })
        let changed = ConformanceTrial.record(2, archive: Data("changed".utf8))
        _ = try store.update(changed, updatedAt: ConformanceTrial.time(70))
        _ = try store.delete(ConformanceTrial.record(3).key, deletedAt: ConformanceTrial.time(71))
        let keys = [9, 3, 2, 1].map { ConformanceTrial.record($0).key }
        let digests = (1...2).map { ContentDigest.of(ConformanceTrial.record($0).archive) }
        try ConformanceTrial.expect(
            "states", try store.states(of: keys),
            is: [
                .absent, .deleted,
                .stored(
                    received: digests[1], present: ContentDigest.of(changed.archive),
                    updatedAt: ConformanceTrial.time(70)),
                .stored(received: digests[0], present: digests[0], updatedAt: nil),
            ])
        let other = RecordKey(keys[3].identifier, device: ConformanceTrial.identifier(5))
        try ConformanceTrial.expect("another device's", try store.states(of: [other]), is: [.absent])
        try ConformanceTrial.expect("of no key", try store.states(of: []), is: [])
    }
}
