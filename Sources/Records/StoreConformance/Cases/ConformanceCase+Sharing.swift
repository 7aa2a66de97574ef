import Foundation
import Locking
import RecordStorage

extension ConformanceCase {
    static let sharing = [
        ConformanceCase("threads", "threads that insert the same records store each once", threads),
        ConformanceCase("hosts", "many hosts share a store, and each keeps its own order", needsSharing: true, hosts),
        ConformanceCase(
            "contest", "hosts that insert the same records at once store each once", needsSharing: true, contest),
        ConformanceCase(
            "late-duplicates", "a record that is deleted while a duplicate arrives stays deleted", needsSharing: true,
            lateDuplicates),
        ConformanceCase(
            "first-use", "hosts that use a new store at the same moment make it once", needsSharing: true, firstUse),
    ]

    @Sendable private static func threads(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        try storesOnce(trial, (0..<8).map { _ in store })
    }

    @Sendable private static func contest(_ trial: ConformanceTrial) throws {
        try storesOnce(trial, (0..<6).map { try trial.store("host \($0)") })
    }

    /// Inserts the same records through each store at once, in different orders.
    private static func storesOnce(_ trial: ConformanceTrial, _ stores: [any RecordStore]) throws {
        let counts = Mutex<(stored: Int, repeated: Int, conflict: Int)>((0, 0, 0))
        let batches = 20
        try ConformanceTrial.concurrently(stores.count) { number in
            for batch in 0..<batches {
                let records = (0..<10).map { ConformanceTrial.arrival(batch * 10 + $0) }
                let outcomes = try stores[number].insert(number % 2 == 0 ? records : records.reversed())
                counts.withLock { counts in
                    for outcome in outcomes {
                        switch outcome {
                        case .stored: counts.stored += 1
                        case .repeated: counts.repeated += 1
                        case .conflict: counts.conflict += 1
                        }
                    }
                }
            }
        }
        let found = counts.withLock { $0 }
        try ConformanceTrial.expect("stored", found.stored, is: batches * 10)
        try ConformanceTrial.expect("repeated", found.repeated, is: batches * 10 * (stores.count - 1))
        try ConformanceTrial.expect("conflicts", found.conflict, is: 0)
        try ConformanceTrial.expect("count", try stores[0].count(), is: batches * 10)
        try ConformanceTrial.expect("records", try ConformanceTrial.all(stores[0]).count, is: batches * 10)
    }

    @Sendable private static func hosts(_ trial: ConformanceTrial) throws {
        let (hosts, records) = (40, 6)
        let stores = try (0..<hosts).map { try trial.store("host \($0)") }
        for number in 0..<records {
            for (host, store) in stores.enumerated() {
                _ = try store.insert([ConformanceTrial.arrival(number * hosts + host)])
            }
        }
        let reader = try trial.store("reader")
        for limit in [1, 5, 1_000] {
            let found = try ConformanceTrial.all(reader, limit: limit)
            try ConformanceTrial.expect(
                "records in pages of \(limit)", Set(found.map(\.record.key.identifier)).count, is: hosts * records)
            try ConformanceTrial.expect("repeats in pages of \(limit)", found.count, is: hosts * records)
        }
        let found = try ConformanceTrial.all(reader)
        for host in 0..<hosts {
            let own = (0..<records).map { ConformanceTrial.identifier($0 * hosts + host) }
            let order = found.map(\.record.key.identifier).filter(Set(own).contains)
            try ConformanceTrial.expect("the order of host \(host)", order, is: own)
        }
        try ConformanceTrial.expect("count", try reader.count(), is: hosts * records)
        let latest = try reader.latestRecords(limit: hosts)
        try ConformanceTrial.expect(
            "latest", latest.map(\.record.key.identifier),
            is: (0..<hosts).map { ConformanceTrial.identifier(records * hosts - 1 - $0) })
        // A host may change and remove what another stored.
        let key = ConformanceTrial.record(1).key
        try ConformanceTrial.expect(
            "another host's deletion", try stores[5].delete(key, deletedAt: ConformanceTrial.start), is: true)
        try ConformanceTrial.expect(
            "the late duplicate on a third", try stores[6].insert([ConformanceTrial.arrival(1)]), is: [.repeated])
        try ConformanceTrial.expect("count", try reader.count(), is: hosts * records - 1)
    }

    @Sendable private static func lateDuplicates(_ trial: ConformanceTrial) throws {
        let (store, other) = (try trial.store("first"), try trial.store("second"))
        for number in 0..<60 {
            _ = try store.insert([ConformanceTrial.arrival(number)])
            try ConformanceTrial.concurrently(2) { part in
                if part == 0 {
                    let key = ConformanceTrial.record(number).key
                    let isDeleted = try store.delete(key, deletedAt: ConformanceTrial.start)
                    try ConformanceTrial.expect("delete", isDeleted, is: true)
                } else {
                    let outcomes = try other.insert([ConformanceTrial.arrival(number)])
                    try ConformanceTrial.expect("the duplicate", outcomes, is: [.repeated])
                }
            }
        }
        try ConformanceTrial.expect("count", try store.count(), is: 0)
        try ConformanceTrial.expect("records", try ConformanceTrial.all(store), is: [])
    }

    @Sendable private static func firstUse(_ trial: ConformanceTrial) throws {
        try ConformanceTrial.concurrently(8) { number in
            let outcomes = try trial.store("host \(number)").insert([ConformanceTrial.arrival(number)])
            try ConformanceTrial.check(
                outcomes.first.flatMap(ConformanceTrial.sequence) != nil, "host \(number): \(outcomes)")
        }
        try ConformanceTrial.expect("count", try trial.store("last").count(), is: 8)
        try ConformanceTrial.expect("records", try ConformanceTrial.all(try trial.store("last")).count, is: 8)
    }
}
