import Files
import Foundation
import Glibc
import Locking
import RecordStorage
import StoreConformance

/// A store in memory with one flaw, or none.
final class MemoryStore: RecordStore {
    /// The flaws, by the case that must find them.
    enum Flaw: String, CaseIterable {
        case order
        case exactlyOnce = "exactly-once"
        case repeatsInABatch = "repeats-in-a-batch"
        case sameIdentifier = "same-identifier"
        case misshapen
        case texts
        case numbers
        case dates
        case archives
        case awkwardNeighbours = "awkward-neighbours"
        case pages
        case resuming
        case largeRecords = "large-records"
        case latest
        case ages
        case foreignCursor = "foreign-cursor"
        case deletion
        case traces
        case foreignTraces = "foreign-traces"
        case states
        case change
        case expiry
        case expiryByCount = "expiry-by-count"
        case numbersNotReused = "numbers-not-reused"
        case threads
        case hosts
        case lateDuplicates = "late-duplicates"
        case files
        case filesFirst = "files-first"
        case unclaimedFiles = "unclaimed-files"
    }

    struct File {
        let content: Data
        var keptAt: Date
    }

    struct Content {
        var rows: [StoredRecord] = []
        var received: [RecordKey: Data] = [:]
        var deleted: [RecordKey: Date] = [:]
        /// The thread that inserted a record last.
        var threads: [RecordKey: pthread_t] = [:]
        var last: Int64 = 0
        var files: [Data: File] = [:]

        func hasRecord(of file: Data) -> Bool { rows.contains { $0.record.file == file } }
    }

    final class Shared: Sendable {
        let content = Mutex(Content())
    }

    let kind: RecordKind
    let flaw: Flaw?
    private let shared: Shared

    init(_ kind: RecordKind, _ flaw: Flaw?, _ shared: Shared) {
        (self.kind, self.flaw, self.shared) = (kind, flaw, shared)
    }

    static func maker(flaw: Flaw?) -> StoreMaker {
        let stores = MakerState()
        return StoreMaker(isShared: true) { kind, host in
            MemoryStore(kind, flaw, stores.shared(flaw == .hosts ? "\(kind.plural) \(host)" : kind.plural))
        }
    }

    private final class MakerState: Sendable {
        private let all = Mutex<[String: Shared]>([:])

        func shared(_ name: String) -> Shared {
            all.withLock { all in
                let shared = all[name] ?? Shared()
                all[name] = shared
                return shared
            }
        }
    }

    private func key(_ key: RecordKey) -> RecordKey {
        flaw == .sameIdentifier
            ? RecordKey(key.identifier, device: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) : key
    }

    func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome] {
        for arrival in arrivals
        where flaw != .misshapen && arrival.record.values.map(\.type) != kind.columns.map(\.type) {
            throw StoreError(.refused, "misshapen")
        }
        let known = shared.content.withLock { content in Set(content.rows.map { key($0.record.key) }) }
        return try shared.content.withLock { content throws(StoreError) in
            // Under the lock that stores: the last other record with the file may be deleted meanwhile.
            let files = content.files
            guard flaw == .filesFirst || arrivals.allSatisfy({ $0.record.file.map { files[$0] != nil } ?? true }) else {
                throw StoreError(.refused, "a file is missing")
            }
            var outcomes: [InsertOutcome] = []
            for arrival in arrivals {
                let own = key(arrival.record.key)
                if flaw != .deletion, content.deleted[own] != nil {
                    outcomes.append(.repeated)
                    continue
                }
                let isThere =
                    switch flaw {
                    case .repeatsInABatch: known.contains(own)
                    case .threads: content.threads[own] == pthread_self()
                    default: content.rows.contains { key($0.record.key) == own }
                    }
                content.threads[own] = pthread_self()
                if isThere, let old = content.received[own] {
                    let isSame = flaw == .exactlyOnce || old == arrival.record.archive
                    outcomes.append(isSame ? .repeated : .conflict)
                    continue
                }
                content.last += 1
                if flaw == .numbersNotReused { content.last = (content.rows.last?.sequence ?? 0) + 1 }
                let row = StoredRecord(
                    cursor: RecordCursor(rawValue: "\(content.last)"), sequence: content.last,
                    record: altered(arrival.record),
                    receivedAt: flaw == .dates
                        ? Date(timeIntervalSince1970: arrival.receivedAt.timeIntervalSince1970.rounded())
                        : arrival.receivedAt, updatedAt: nil)
                if flaw == .order { content.rows.insert(row, at: 0) } else { content.rows.append(row) }
                content.received[own] = arrival.record.archive
                outcomes.append(.stored(sequence: content.last))
            }
            return outcomes
        }
    }

    private func altered(_ record: Record) -> Record {
        let values = record.values.map { value -> RecordValue in
            switch value {
            case .text(let text) where flaw == .texts: .text(text.precomposedStringWithCanonicalMapping)
            case .text(let text) where flaw == .awkwardNeighbours: .text(text.replacing("\0", with: ""))
            case .real(let real) where flaw == .numbers: .real(real.isNaN || real.isInfinite ? 0 : real)
            default: value
            }
        }
        return Record(
            key: record.key, values: values,
            archive: flaw == .archives ? record.archive.prefix(65_536) : record.archive,
            file: record.file)
    }

    func receivedArchive(_ wanted: RecordKey) throws(StoreError) -> Data? {
        shared.content.withLock { content in
            guard let row = content.rows.first(where: { key($0.record.key) == key(wanted) }) else { return nil }
            return flaw == .change ? row.record.archive : content.received[key(wanted)]
        }
    }

    func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool {
        shared.content.withLock { content in
            guard let place = content.rows.firstIndex(where: { key($0.record.key) == key(record.key) }) else {
                return false
            }
            let old = content.rows[place]
            content.rows[place] = StoredRecord(
                cursor: old.cursor, sequence: old.sequence, record: record, receivedAt: old.receivedAt,
                updatedAt: updatedAt)
            return true
        }
    }

    func delete(_ wanted: RecordKey, deletedAt: Date) throws(StoreError) -> Bool {
        shared.content.withLock { content in
            guard let place = content.rows.firstIndex(where: { key($0.record.key) == key(wanted) }) else {
                return false
            }
            let file = content.rows.remove(at: place).record.file
            if let file, flaw == .files || !content.hasRecord(of: file) { content.files[file] = nil }
            if flaw != .lateDuplicates { content.deleted[key(wanted)] = deletedAt }
            return true
        }
    }

    func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int {
        shared.content.withLock { content in
            var new = 0
            for deletion in deletions where content.deleted[key(deletion.key)] == nil {
                let isThere = content.rows.contains { key($0.record.key) == key(deletion.key) }
                guard isThere || flaw != .foreignTraces else { continue }
                content.rows.removeAll { key($0.record.key) == key(deletion.key) }
                content.deleted[key(deletion.key)] = deletion.deletedAt
                new += 1
            }
            return new
        }
    }

    func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion] {
        shared.content.withLock { content in
            func order(_ key: RecordKey) -> String { key.identifier.uuidString + key.device.uuidString }
            let all = content.deleted.sorted { order($0.key) < order($1.key) }
            let rest = all.filter { entry in key.map { order($0) < order(entry.key) } ?? true }
            // Goes on one behind where it should.
            let skipped = flaw == .traces && key != nil ? 1 : 0
            return rest.dropFirst(skipped).prefix(limit).map { RecordDeletion($0.key, deletedAt: $0.value) }
        }
    }

    func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState] {
        shared.content.withLock { content in
            keys.map { wanted in
                if content.deleted[key(wanted)] != nil { return .deleted }
                guard let row = content.rows.first(where: { key($0.record.key) == key(wanted) }),
                    let received = content.received[key(wanted)]
                else { return .absent }
                let present = ContentDigest.of(row.record.archive)
                return .stored(
                    received: flaw == .states ? present : ContentDigest.of(received), present: present,
                    updatedAt: row.updatedAt)
            }
        }
    }

    func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(StoreError) -> [RecordKey] {
        shared.content.withLock { content in
            let surplus = count.map { content.rows.count - $0 + (flaw == .expiryByCount ? 1 : 0) } ?? 0
            let keys = content.rows.enumerated().filter { place, row in
                place < surplus || time.map { row.receivedAt < $0 } ?? false
            }.prefix(flaw == .expiry ? .max : limit).map { $1.record.key }
            content.rows.removeAll { keys.contains($0.record.key) }
            for each in keys { content.received[key(each)] = nil }
            return keys
        }
    }

    func records(identifier: UUID) throws(StoreError) -> [StoredRecord] {
        shared.content.withLock { $0.rows.filter { $0.record.key.identifier == identifier } }
    }

    func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord] {
        let number = cursor == .start ? 0 : Int64(cursor.rawValue)
        guard let after = number ?? (flaw == .foreignCursor ? 0 : nil), after >= 0 else {
            throw StoreError(.refused, "no cursor")
        }
        return shared.content.withLock { content in
            if flaw == .resuming, !content.rows.contains(where: { $0.sequence == after }), after != 0 { return [] }
            let rest = content.rows.filter { flaw == .order || $0.sequence > after }
            if flaw == .order, after != 0 { return [] }
            var (page, bytes) = ([StoredRecord](), 0)
            for row in rest.prefix(flaw == .pages ? max(limit - 1, 1) + (limit == 10 ? 2 : 0) : limit) {
                guard flaw == .largeRecords || bytes < 1_048_576 else { break }
                page.append(row)
                bytes += row.record.archive.count
            }
            return page
        }
    }

    func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord] {
        shared.content.withLock { content in
            flaw == .latest ? Array(content.rows.suffix(limit)) : content.rows.suffix(limit).reversed()
        }
    }

    func count() throws(StoreError) -> Int { shared.content.withLock { $0.rows.count } }

    func ages(before time: Date) throws(StoreError) -> RecordAges {
        shared.content.withLock { content in
            let older = content.rows.filter { flaw == .ages ? $0.receivedAt <= time : $0.receivedAt < time }
            return RecordAges(
                total: content.rows.count, older: older.count, newest: content.rows.map(\.receivedAt).max())
        }
    }

    var keepsFiles: Bool { kind.keepsFiles }

    func keep(_ content: Data, at time: Date) throws(StoreError) -> Data {
        let name = ContentDigest.of(content)
        shared.content.withLock { $0.files[name] = File(content: content, keptAt: time) }
        return name
    }

    func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data> {
        shared.content.withLock { content in
            let found = files.filter { content.files[$0] != nil }
            if flaw != .unclaimedFiles { for file in found { content.files[file]?.keptAt = time } }
            return found
        }
    }

    func content(of file: Data) throws(StoreError) -> Data? { shared.content.withLock { $0.files[file]?.content } }

    func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int {
        shared.content.withLock { content in
            let gone = content.files.filter { name, file in
                !content.hasRecord(of: name) && time.timeIntervalSince(file.keptAt) > 86_400
            }.keys
            for name in gone { content.files[name] = nil }
            return gone.count
        }
    }

    func look() throws(StoreError) {}

    func close() {}
}
