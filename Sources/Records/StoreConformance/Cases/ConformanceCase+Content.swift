import Foundation
import RecordStorage

extension ConformanceCase {
    static let content = [
        ConformanceCase("texts", "every text comes back; only a NUL may be replaced by its symbol", texts),
        ConformanceCase(
            "numbers", "every integer and floating-point number comes back; only NaN may be replaced by zero", numbers),
        ConformanceCase("dates", "dates of all ages come back to the millisecond", dates),
        ConformanceCase("archives", "archives come back to the byte: empty, with every byte, and of 8 MiB", archives),
        ConformanceCase(
            "awkward-neighbours", "an awkward value costs none of the batch's other records", awkwardNeighbours),
        ConformanceCase("identifiers", "identifiers of any bits come back", identifiers),
    ]

    /// Stores a record for each list of columns, alone, and reads it back.
    private static func roundTrips(_ trial: ConformanceTrial, _ lists: [[RecordValue]]) throws {
        let store = try trial.store()
        for (place, values) in lists.enumerated() {
            let record = Record(
                key: ConformanceTrial.record(place).key, values: values, archive: Data("\(place)".utf8))
            do {
                let outcomes = try store.insert([record], receivedAt: ConformanceTrial.time(place))
                try ConformanceTrial.check(
                    outcomes.first.flatMap(ConformanceTrial.sequence) != nil, "\(values): \(outcomes)")
                guard let found = try store.records(identifier: record.key.identifier).first else {
                    throw ConformanceFailure("\(values) was stored, and is not there")
                }
                try ConformanceTrial.expect(found.record, is: record)
            } catch let error as StoreError {
                throw ConformanceFailure("\(values): \(error)")
            }
        }
    }

    private static func values(
        text: String = "t", integer: Int64 = 1, real: Double = 1, date: Date = ConformanceTrial.start
    ) -> [RecordValue] { [.text(text), .integer(integer), .real(real), .date(date)] }

    private static let awkwardTexts = [
        "", " ", "a\0b", "\0", "😀🏳️‍🌈", "e\u{301}", "\u{e9}", "'; DROP TABLE samples; --", "\"quoted\"", "{a,NULL,\"b\"}",
        "\\x00", "NULL", "\u{feff}text", "\u{10ffff}", "\u{d7ff}\u{e000}", "line\r\nline", "\u{202e}txt", "\u{1}\u{7f}",
        String(repeating: "長", count: 20_000),
    ]

    @Sendable private static func texts(_ trial: ConformanceTrial) throws {
        try roundTrips(trial, awkwardTexts.map { values(text: $0) })
    }

    @Sendable private static func numbers(_ trial: ConformanceTrial) throws {
        let integers: [Int64] = [0, -1, .min, .max, 1 << 31, 1 << 53 + 1, -(1 << 32)]
        let reals: [Double] = [
            0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, -1e300,
            .pi.nextUp,
        ]
        try roundTrips(trial, integers.map { values(integer: $0) } + reals.map { values(real: $0) })
    }

    @Sendable private static func dates(_ trial: ConformanceTrial) throws {
        let seconds: [Double] = [
            0, -1, 0.001, -0.001, 1_760_000_000.123, -62_135_596_800, 253_402_300_799.999, 1e12, -1e12,
        ]
        let dates = seconds.map(Date.init(timeIntervalSince1970:)) + [.distantPast, .distantFuture]
        let store = try trial.store()
        for (place, date) in dates.enumerated() {
            let record = Record(
                key: ConformanceTrial.record(place).key, values: values(date: date), archive: Data("\(place)".utf8))
            _ = try store.insert([record], receivedAt: date)
            guard let found = try store.records(identifier: record.key.identifier).first else {
                throw ConformanceFailure("\(date) was stored, and is not there")
            }
            let shown = if case .date(let date)? = found.record.values.last { date } else { Date?.none }
            for (name, came) in [("column", shown), ("arrival", found.receivedAt)] {
                try ConformanceTrial.check(
                    came.map { abs($0.timeIntervalSince(date)) < 0.000_6 } == true,
                    "\(name): expected \(date.timeIntervalSince1970) seconds since 1970, and \(came.map { "\($0.timeIntervalSince1970)" } ?? "nothing") came"
                )
            }
        }
        // No count of milliseconds: it must neither trap nor cost the record.
        let beyond = Record(
            key: ConformanceTrial.record(1_000).key,
            values: values(date: Date(timeIntervalSince1970: 1e300)), archive: Data("x".utf8))
        let outcomes = try store.insert([beyond], receivedAt: ConformanceTrial.start)
        try ConformanceTrial.check(outcomes.first.flatMap(ConformanceTrial.sequence) != nil, "1e300 s: \(outcomes)")
    }

    @Sendable private static func archives(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        let archives = [
            Data(), Data([0]), Data(0...255), Data(repeating: 0, count: 70_000),
            (0..<128).reduce(into: Data()) { data, block in
                data += Data(repeating: UInt8(block), count: 32_768) + Data(0...255) + Data(count: 32_512)
            },
        ]
        let records = archives.enumerated().map { ConformanceTrial.record($0, archive: $1) }
        let outcomes = try store.insert(records, receivedAt: ConformanceTrial.start)
        try ConformanceTrial.expect(
            "stored", outcomes.compactMap(ConformanceTrial.sequence).count, is: archives.count)
        for record in records {
            guard let found = try store.records(identifier: record.key.identifier).first else {
                throw ConformanceFailure("\(record.archive.count) bytes were stored, and are not there")
            }
            try ConformanceTrial.expect(found.record, is: record)
        }
        let again = try store.insert(records, receivedAt: ConformanceTrial.start)
        try ConformanceTrial.expect("again", again, is: archives.map { _ in .repeated })
        var changed = archives[4]
        changed[changed.count - 1] ^= 1
        let other = try store.insert(
            [ConformanceTrial.record(4, archive: changed)], receivedAt: ConformanceTrial.start)
        try ConformanceTrial.expect("8 MiB with another last byte", other, is: [.conflict])
    }

    @Sendable private static func awkwardNeighbours(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        var records: [Record] = []
        for (place, text) in awkwardTexts.enumerated() {
            records.append(ConformanceTrial.record(2 * place))
            records.append(
                Record(
                    key: ConformanceTrial.record(2 * place + 1).key,
                    values: values(text: text, integer: .min, real: .nan, date: .distantPast),
                    archive: Data("\(place)".utf8)))
        }
        let outcomes = try store.insert(records, receivedAt: ConformanceTrial.start)
        try ConformanceTrial.expect(
            "stored", outcomes.compactMap(ConformanceTrial.sequence).count, is: records.count)
        let found = try ConformanceTrial.all(store)
        try ConformanceTrial.expect("found", found.count, is: records.count)
        for (found, record) in zip(found, records) { try ConformanceTrial.expect(found.record, is: record) }
    }

    @Sendable private static func identifiers(_ trial: ConformanceTrial) throws {
        let store = try trial.store()
        func filled(_ byte: UInt8) -> UUID {
            let b = byte
            return UUID(uuid: (b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b))
        }
        let keys = [
            RecordKey(filled(0), device: filled(0)), RecordKey(filled(0), device: filled(255)),
            RecordKey(filled(255), device: filled(0)), RecordKey(filled(255), device: filled(255)),
            RecordKey(UUID(), device: filled(0)),
        ]
        let records = keys.map { Record(key: $0, values: values(), archive: Data("same".utf8)) }
        let outcomes = try store.insert(records, receivedAt: ConformanceTrial.start)
        try ConformanceTrial.expect("stored", outcomes.compactMap(ConformanceTrial.sequence).count, is: keys.count)
        try ConformanceTrial.expect("keys", try ConformanceTrial.all(store).map(\.record.key), is: keys)
    }
}
