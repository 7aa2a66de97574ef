import Foundation
import Locking
import RecordStorage

/// The store of one case, with records for it and words for its failures.
final class ConformanceTrial: Sendable {
    let stores: StoreMaker
    let kind: RecordKind
    private let opened = Mutex<[any RecordStore]>([])

    /// The time of the first arrival; each further record arrives a second later.
    static let start = Date(timeIntervalSince1970: 1_760_000_000)

    /// - Parameter name: The name of the case, after a token of the run.
    init(_ stores: StoreMaker, name: String) {
        self.stores = stores
        kind = RecordKind(
            // Tables have names of letters and digits only.
            name: "trial", plural: name.filter { $0.isLetter || $0.isNumber },
            columns: [
                RecordColumn("title", .text), RecordColumn("amount", .integer), RecordColumn("score", .real),
                RecordColumn("taken_at", .date),
            ])
    }

    /// Opens the store as a host.
    ///
    /// - Parameter keepsFiles: True for records that may have files.
    func store(_ host: String = "first", keepsFiles: Bool = false) throws -> any RecordStore {
        let kind = RecordKind(
            name: kind.name, plural: kind.plural, columns: kind.columns, keepsFiles: keepsFiles)
        let store = try stores.open(kind, host)
        opened.withLock { $0.append(store) }
        return store
    }

    func close() { for store in opened.withLock({ $0 }) { store.close() } }

    // MARK: - Records

    static let device = UUID(uuid: (7, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 7))

    /// Returns the identifier with a number.
    static func identifier(_ number: Int) -> UUID {
        var bytes: uuid_t = (1, 2, 3, 4, 5, 6, 71, 8, 137, 10, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for place in 0..<6 { bytes[15 - place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
        }
        return UUID(uuid: bytes)
    }

    /// Returns a record with a number.
    static func record(
        _ number: Int, device: UUID = device, archive: Data? = nil, title: String? = nil, file: Data? = nil
    ) -> Record {
        Record(
            key: RecordKey(identifier(number), device: device),
            values: [
                .text(title ?? "Record \(number)"), .integer(Int64(number)), .real(Double(number) / 4),
                .date(Date(timeIntervalSince1970: Double(1_700_000_000 + number))),
            ], archive: archive ?? Data("archive \(number)".utf8), file: file)
    }

    /// Returns the arrival of a record with a number, at a time that grows with it.
    static func arrival(_ number: Int, device: UUID = device) -> RecordArrival {
        RecordArrival(record(number, device: device), receivedAt: time(number))
    }

    static func time(_ number: Int) -> Date { start.addingTimeInterval(Double(number)) }

    /// Reads all records, page by page.
    static func all(
        _ store: any RecordStore, after start: RecordCursor = .start, limit: Int = 100
    ) throws -> [StoredRecord] {
        var (found, cursor) = ([StoredRecord](), start)
        while true {
            let page = try store.records(after: cursor, limit: limit)
            guard let last = page.last else { return found }
            try check(page.count <= limit, "a page of up to \(limit) records has \(page.count)")
            found += page
            cursor = last.cursor
        }
    }

    static func sequence(_ outcome: InsertOutcome) -> Int64? {
        if case .stored(let sequence) = outcome { sequence } else { nil }
    }

    // MARK: - Expectations

    static func check(_ condition: Bool, _ text: @autoclosure () -> String) throws(ConformanceFailure) {
        guard condition else { throw ConformanceFailure(text()) }
    }

    static func expect<Value: Equatable>(
        _ what: String, _ found: Value, is expected: Value
    ) throws(ConformanceFailure) {
        guard found != expected else { return }
        throw ConformanceFailure("\(what): expected \(short(expected)), and \(short(found)) came")
    }

    /// The longest text of one value in a failure. 600: some lines on a terminal.
    private static let longest = 600

    private static func short(_ value: some Any) -> String {
        let text = "\(value)"
        return text.count > longest ? "\(text.prefix(longest))…" : text
    }

    /// Expects that two records are the same. A store without NaN may have zero instead, and one without NUL its symbol.
    static func expect(_ found: Record, is expected: Record) throws(ConformanceFailure) {
        try expect("key", found.key, is: expected.key)
        try expect("number of columns", found.values.count, is: expected.values.count)
        for (place, (found, expected)) in zip(found.values, expected.values).enumerated() {
            switch (found, expected) {
            case (.real(let found), .real(let expected)):
                try check(
                    found == expected || expected.isNaN && (found.isNaN || found == 0),
                    "column \(place): expected \(expected), and \(found) came")
            case (.text(let found), .text(let expected)):
                // Not by ==, which holds for texts that only look the same.
                let texts = [expected, String(expected.map { $0 == "\0" ? "\u{2400}" : $0 })]
                try check(
                    texts.contains { Array($0.utf8) == Array(found.utf8) },
                    "column \(place): expected the UTF-8 bytes \(short(Array(expected.utf8))), and \(short(Array(found.utf8))) came"
                )
            default: try expect("column \(place)", found, is: expected)
            }
        }
        try check(
            found.archive == expected.archive,
            "the archive of \(expected.archive.count) bytes came back with \(found.archive.count), or with others")
    }

    /// Runs the body on several threads at once, and throws the first error.
    ///
    /// Threads of its own, because the body waits for a server, and dispatch queues start few for that.
    static func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let collector = Collector()
        for number in 0..<count {
            Thread.detachNewThread {
                do { try body(number) } catch { collector.errors.withLock { $0.append(error) } }
                collector.end.signal()
            }
        }
        for _ in 0..<count { collector.end.wait() }
        if let first = collector.errors.withLock({ $0.first }) { throw first }
    }

    private final class Collector: Sendable {
        let errors = Mutex<[any Error]>([])
        let end = DispatchSemaphore(value: 0)
    }
}
