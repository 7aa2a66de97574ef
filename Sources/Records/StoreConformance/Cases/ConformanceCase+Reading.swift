import Foundation
import Locking
import RecordStorage

extension ConformanceCase {
    static let reading = [
        ConformanceCase("pages", "pages of any length have every record once, in the same order", pages),
        ConformanceCase("resuming", "a reader that waits at the end finds all that comes later", resuming),
        ConformanceCase(
            "large-records", "large records make a page shorter, and it is empty only at the end", largeRecords),
        ConformanceCase(
            "writing-while-reading", "pages miss nothing while others write", writingWhileReading),
        ConformanceCase("latest", "the latest records are the newest arrivals, the newest first", latest),
        ConformanceCase("ages", "the numbers of all and of older records are exact", ages),
        ConformanceCase("foreign-cursor", "a text that is no cursor is refused", foreignCursor),
    ]

    @Sendable private static func pages(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert((1...57).map { ConformanceTrial.arrival($0) })
        let expected = (1...57).map(ConformanceTrial.identifier)
        for limit in [1, 2, 10, 56, 57, 58, 1_000] {
            let found = try ConformanceTrial.all(store, limit: limit)
            try ConformanceTrial.expect("pages of \(limit)", found.map(\.record.key.identifier), is: expected)
            try ConformanceTrial.expect("different cursors", Set(found.map(\.cursor)).count, is: 57)
        }
        // Any record's cursor is a place to go on.
        let found = try ConformanceTrial.all(store)
        for place in [0, 20, 56] {
            let rest = try ConformanceTrial.all(store, after: found[place].cursor)
            try ConformanceTrial.expect(
                "records after number \(place + 1)", rest.map(\.record.key.identifier),
                is: Array(expected[(place + 1)...]))
        }
    }

    @Sendable private static func resuming(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        var (cursor, read) = (RecordCursor.start, [UUID]())
        for round in 0..<5 {
            _ = try store.insert((1...4).map { ConformanceTrial.arrival(round * 4 + $0) })
            let found = try ConformanceTrial.all(store, after: cursor, limit: 3)
            read += found.map(\.record.key.identifier)
            cursor = found.last?.cursor ?? cursor
        }
        try ConformanceTrial.expect("records", read, is: (1...20).map(ConformanceTrial.identifier))
        // What the reader stands on may vanish.
        _ = try store.delete(ConformanceTrial.record(20).key, deletedAt: ConformanceTrial.start)
        _ = try store.insert([ConformanceTrial.arrival(21)])
        let rest = try ConformanceTrial.all(store, after: cursor)
        try ConformanceTrial.expect(
            "after the last record was deleted", rest.map(\.record.key.identifier),
            is: [ConformanceTrial.identifier(21)])
    }

    @Sendable private static func largeRecords(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        // Three small ones, then each larger than any sensible page.
        let sizes = [10, 10, 10] + Array(repeating: 3 * 1_024 * 1_024, count: 6)
        let records = sizes.enumerated().map {
            ConformanceTrial.record($0, archive: Data(repeating: UInt8($0), count: $1))
        }
        for record in records { _ = try store.insert([record], receivedAt: ConformanceTrial.start) }
        var (cursor, pages, found) = (RecordCursor.start, 0, [Int]())
        while case let page = try store.records(after: cursor, limit: 100), let last = page.last {
            let bytes = page.reduce(0) { $0 + $1.record.archive.count }
            try ConformanceTrial.check(bytes < 8 * 1_024 * 1_024, "a page has \(page.count) records of \(bytes) bytes")
            found += page.map(\.record.archive.count)
            (cursor, pages) = (last.cursor, pages + 1)
        }
        try ConformanceTrial.expect("sizes", found, is: sizes)
        try ConformanceTrial.check(pages > 1, "all came in one page")
    }

    @Sendable private static func writingWhileReading(_ trial: ConformanceTrial) throws {
        let (rounds, perRound, writers) = (40, 5, trial.stores.isShared ? 4 : 1)
        let total = rounds * perRound * writers
        // Two of each name, as when a service is replaced while its predecessor still runs.
        let stores = try (0..<writers).map { try trial.store("host \($0 / 2)") }
        let reader = try trial.store("reader")
        // First uses at the same moment are another case.
        _ = try reader.count()
        let isWriting = Mutex(writers)
        let read = Mutex<[UUID]>([])
        try ConformanceTrial.concurrently(writers + 1) { number in
            guard number < writers else {
                var cursor = RecordCursor.start
                // Once more after the last writer has ended.
                while true {
                    let isOver = isWriting.withLock { $0 == 0 }
                    let found = try ConformanceTrial.all(reader, after: cursor, limit: 7)
                    read.withLock { $0 += found.map(\.record.key.identifier) }
                    cursor = found.last?.cursor ?? cursor
                    if isOver { return }
                }
            }
            defer { isWriting.withLock { $0 -= 1 } }
            for round in 0..<rounds {
                let first = (number * rounds + round) * perRound
                let outcomes = try stores[number].insert(
                    (0..<perRound).map { ConformanceTrial.arrival(first + $0) })
                try ConformanceTrial.check(
                    outcomes.allSatisfy { ConformanceTrial.sequence($0) != nil }, "\(outcomes)")
            }
        }
        let found = read.withLock { $0 }
        let missing = (0..<total).filter { !Set(found).contains(ConformanceTrial.identifier($0)) }
        try ConformanceTrial.expect("missed of \(total)", missing.count, is: 0)
        try ConformanceTrial.expect("read", found.count, is: total)
    }

    @Sendable private static func latest(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        try ConformanceTrial.expect("latest of none", try store.latestRecords(limit: 5), is: [])
        _ = try store.insert((1...20).map { ConformanceTrial.arrival($0) })
        let found = try store.latestRecords(limit: 5)
        try ConformanceTrial.expect(
            "identifiers", found.map(\.record.key.identifier),
            is: [20, 19, 18, 17, 16].map(ConformanceTrial.identifier))
        try ConformanceTrial.expect("latest of all", try store.latestRecords(limit: 100).count, is: 20)
    }

    @Sendable private static func ages(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        try ConformanceTrial.expect(
            "an empty store", try store.ages(before: ConformanceTrial.start),
            is: RecordAges(total: 0, older: 0, newest: nil))
        _ = try store.insert((1...10).map { ConformanceTrial.arrival($0) })
        for (limit, older) in [(0, 0), (1, 0), (2, 1), (11, 10)] {
            try ConformanceTrial.expect(
                "before \(limit)", try store.ages(before: ConformanceTrial.time(limit)),
                is: RecordAges(total: 10, older: older, newest: ConformanceTrial.time(10)))
        }
        _ = try store.delete(ConformanceTrial.record(10).key, deletedAt: ConformanceTrial.start)
        try ConformanceTrial.expect(
            "after a deletion", try store.ages(before: ConformanceTrial.time(3)),
            is: RecordAges(total: 9, older: 2, newest: ConformanceTrial.time(9)))
    }

    @Sendable private static func foreignCursor(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        _ = try store.insert([ConformanceTrial.arrival(1)])
        for text in ["x", "1:", ":", "1:2,1:3", "1:2;", "99999999999999999999", "-", "🙂"] {
            do {
                let found = try store.records(after: RecordCursor(rawValue: text), limit: 1)
                throw ConformanceFailure("“\(text)” was answered with \(found.count) records")
            } catch let error as StoreError {
                try ConformanceTrial.expect("“\(text)”: kind of error (\(error))", error.kind, is: .refused)
            }
        }
    }
}
