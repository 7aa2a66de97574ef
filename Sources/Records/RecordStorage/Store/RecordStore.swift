public import Foundation

/// A storage of the records of one kind. Every change is durable when its method returns.
///
/// Several hosts may share a store; then each host's records are in the order in which that host stored them, and
/// there is no order over all hosts.
public protocol RecordStore: Sendable {
    /// The kind of the records.
    var kind: RecordKind { get }

    /// Stores records in one transaction, in their order, and returns their outcomes in the same order.
    ///
    /// A connection that is lost while the outcome is unknown is no error for the caller: inserting again tells.
    func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome]

    /// Returns the archive of a record as received, regardless of later changes; nil if the record does not exist.
    func receivedArchive(_ key: RecordKey) throws(StoreError) -> Data?

    /// Replaces the content of the record with this key. Returns false if it does not exist.
    func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool

    /// Deletes a record permanently: a late duplicate is answered as stored, and not stored again. Returns false if the
    /// record does not exist.
    func delete(_ key: RecordKey, deletedAt: Date) throws(StoreError) -> Bool

    /// Deletes up to `limit` of the oldest records: those that arrived before a time, and those beyond the latest
    /// `count`. Unlike ``delete(_:deletedAt:)`` it keeps no trace of them.
    ///
    /// - Returns: The keys of the deleted records.
    func expire(receivedBefore time: Date?, keeping count: Int?, limit: Int) throws(StoreError) -> [RecordKey]

    /// Deletes records that were deleted in another store, in one transaction, and keeps the traces of all, also of those
    /// that were never here. Returns the number of traces that are new.
    func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int

    /// Returns traces of deleted records, in an order of the store's own; an empty page is the end.
    ///
    /// - Parameters:
    ///   - key: The key of the last trace of the page before; nil for the first page.
    ///   - limit: The most traces to return.
    func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion]

    /// Returns the states of records, in the order of their keys.
    func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState]

    /// Returns the records with an identifier, one for each device that used it, in the order of arrival.
    func records(identifier: UUID) throws(StoreError) -> [StoredRecord]

    /// Returns up to `limit` records after a cursor, in the order of the store. Large records make a page shorter, but
    /// it is empty only at the end. A reader that goes on with the last record's cursor misses none.
    func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord]

    /// Returns the latest records to arrive, the newest first.
    func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord]

    /// Returns the number of records; it does not read them.
    func count() throws(StoreError) -> Int

    /// Returns the number of records, and of those that arrived before a time.
    func ages(before time: Date) throws(StoreError) -> RecordAges

    /// True if the store keeps the files of records.
    var keepsFiles: Bool { get }

    /// Keeps a file for a record that follows, and nothing if it has the same content already. A file that no record
    /// claims is removed later (``RecordFileLimits``).
    ///
    /// - Returns: The SHA-256 of the content, which is the name of the file.
    @discardableResult
    func keep(_ content: Data, at time: Date) throws(StoreError) -> Data

    /// Returns those of some files that are here. None of them is removed within a day, so that records with them can
    /// be inserted.
    func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data>

    /// Returns the content of a file; nil if it is not here.
    func content(of file: Data) throws(StoreError) -> Data?

    /// Removes the files that have waited for their records for too long. Returns their number.
    @discardableResult
    func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int

    /// Checks that the store can be used. Throws an error if not.
    func look() throws(StoreError)

    /// Closes the store. The next use opens it again.
    func close()
}

/// A store that keeps no files.
extension RecordStore {
    /// False.
    public var keepsFiles: Bool { false }

    /// Throws an error: there is no place for a file.
    @discardableResult
    public func keep(_ content: Data, at time: Date) throws(StoreError) -> Data {
        throw StoreError(.refused, "cannot keep a file: the store of the \(kind.plural) keeps none")
    }

    /// Returns nothing.
    public func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data> { [] }

    /// Returns nil.
    public func content(of file: Data) throws(StoreError) -> Data? { nil }

    /// Returns 0.
    @discardableResult
    public func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int { 0 }
}

extension RecordStore {
    /// Stores records that arrived at the same time, as ``insert(_:)`` does.
    public func insert(_ records: [Record], receivedAt: Date) throws(StoreError) -> [InsertOutcome] {
        try insert(records.map { RecordArrival($0, receivedAt: receivedAt) })
    }
}
