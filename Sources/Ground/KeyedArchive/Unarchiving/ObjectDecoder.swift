import Foundation

/// The implementation of ``KeyedUnarchiver``: creates objects from the bytes of a keyed archive.
final class ObjectDecoder {
    let document: ArchiveDocument
    /// The decoder's own copy of the archive; nil if it borrows the bytes.
    private let copy: UnsafeMutableRawBufferPointer?
    private let maximumDepth: Int
    let budget: DecodingBudget

    /// The decoded objects by UID, and marks for some others.
    private let objects: SlotTable
    /// The texts, data and arrays that were decoded more than once as Swift values, by UID.
    @exclusivity(unchecked) private var sharedValues: [UInt32: Any] = [:]
    /// The reader of plain values as trees, created on first use.
    @exclusivity(unchecked) private var treeReader: PlainArchiveReader?

    // Exclusive access needs no check at run time: an archive is decoded on one thread, and no property is accessed
    // while it is being changed. Those checks took a tenth of decoding.

    /// The object that is being decoded; `$top` at first.
    @exclusivity(unchecked) private(set) var record: ArchiveRecord
    @exclusivity(unchecked) private var nextKey = 0
    /// The elements so far in the collection that is being decoded, including those of nested collections per
    /// reference.
    @exclusivity(unchecked) var elementCount = 0
    /// The number of such elements per decoded collection, by UID. Nil until the first collection is decoded.
    @exclusivity(unchecked) private var elementCounts: UnsafeMutableBufferPointer<UInt32>?
    @exclusivity(unchecked) private var allowed: [AnyClass] = []
    @exclusivity(unchecked) private var depth = 0

    /// The classes seen so far, by the UIDs of their descriptions.
    let classes: ClassTable
    @exclusivity(unchecked) var decodesUnknownClasses = false
    @exclusivity(unchecked) var hasDelegate = false

    @exclusivity(unchecked) private(set) var firstError: ArchiveError? { didSet { hasFailed = true } }
    /// True if there is an error; checked more often than the error itself.
    @exclusivity(unchecked) private(set) var hasFailed = false
    /// The error of a class that refused its archived form, as passed by the class.
    @exclusivity(unchecked) private(set) var refusal: (any Error)?

    /// A placeholder for an object that was not created.
    private final class Mark: Sendable {}
    /// The mark of an object that is being decoded.
    private static let open = Mark()
    /// The mark of a text, data or array that was read once as a Swift value.
    private static let readOnce = Mark()

    /// - Parameter buffer: The bytes of the archive; they must stay in place until ``close()``.
    init(
        reading buffer: UnsafeRawBufferPointer, copy: UnsafeMutableRawBufferPointer? = nil, limits: ArchiveLimits
    ) throws {
        self.copy = copy
        budget = DecodingBudget(archiveBytes: buffer.count, limits: limits)
        maximumDepth = limits.depth
        do throws(ArchiveError) {
            document = try ArchiveDocument(buffer, limits: limits, budget)
            classes = try ClassTable(document, budget)
            try budget.take(document.count, each: ArchiveLimits.Nominal.reference, offset: document.top.offset)
            guard let slots = SlotTable(count: document.count) else {
                throw ArchiveError(.limitExceeded, "no memory for \(document.count) objects")
            }
            objects = slots
        } catch {
            copy?.deallocate()
            throw error
        }
        record = document.top
    }

    convenience init(copying data: Data, limits: ArchiveLimits) throws {
        guard data.count <= limits.bytes else {
            throw ArchiveError(.limitExceeded, "\(data.count) bytes; the limit is \(limits.bytes)")
        }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
        copy.copyBytes(from: data)
        try self.init(reading: UnsafeRawBufferPointer(copy), copy: copy, limits: limits)
    }

    deinit {
        copy?.deallocate()
        elementCounts?.deallocate()
    }

    /// Ends the use of the bytes: every later access is an error.
    func close() {
        if firstError == nil { firstError = ArchiveError(.notKeyedArchive, "used after decoding finished") }
    }

    var allowedClasses: [AnyClass] { allowed }

    // MARK: - Values of the current object

    static func escaped(_ key: String) -> String { key.utf8.first == UInt8(ascii: "$") ? "$" + key : key }

    func contains(_ key: String) -> Bool {
        attempt(key) { () throws(ArchiveError) in try place(of: Self.escaped(key)) != nil } ?? false
    }

    /// Returns the value stored directly under a key of the current object; nil if the key is missing.
    func plain(_ key: String) -> BinaryPropertyList.Object? {
        attempt(key) { () throws(ArchiveError) -> BinaryPropertyList.Object? in
            guard let place = try place(of: Self.escaped(key)) else { return nil }
            return try document.list.object(at: place)
        } ?? nil
    }

    /// Returns nil: without an error for a missing key, as in Foundation, and with one for a value of another type.
    func mismatch<Value>(_ object: BinaryPropertyList.Object?, _ wanted: String, key: String) -> Value? {
        guard let object else { return nil }
        fail(ArchiveError(.typeMismatch, "not \(wanted)", kind: object.kind, offset: record.offset), key: key)
        return nil
    }

    /// Returns the bytes under a key of the current object, in place.
    func bytes(forKey key: String) -> UnsafeRawBufferPointer? {
        switch plain(key) {
        case .data(let range): document.list.bytes.bytes(range)
        case let other: mismatch(other, "data", key: key)
        }
    }

    /// Returns a Swift value under a key of the current object, made from its archived form without an intermediate
    /// object. Nil if the key is missing or refers to nil; an error if `make` returns nil.
    func swiftValue<Value>(
        forKey key: String, wanted: String,
        make: (_ uid: UInt32, BinaryPropertyList.Object, _ index: Int) throws(ArchiveError) -> Value?
    ) -> Value? {
        attempt(key) { () throws(ArchiveError) -> Value? in
            guard let uid = try uid(under: Self.escaped(key)), uid != 0 else { return nil }
            let index = try document.index(of: uid, from: record)
            let object = try document.list.object(at: index)
            guard let value = try make(uid, object, index) else {
                throw ArchiveError(.typeMismatch, "not \(wanted)", kind: object.kind, offset: record.offset)
            }
            return value
        } ?? nil
    }

    /// Makes a value on the first request without storing it, and stores it from the second request on. So each value
    /// is made at most twice, and unshared ones, which are nearly all, need no table.
    func sharing<Value>(
        _ uid: UInt32, charge: (DecodingBudget) throws(ArchiveError) -> Void,
        _ make: () throws(ArchiveError) -> Value?
    ) throws(ArchiveError) -> Value? {
        guard let mark = objects[uid] else {
            try charge(budget)
            objects[uid] = Self.readOnce
            return try make()
        }
        if mark === Self.open { throw cycle(uid, record) }
        if let known = sharedValues[uid] as? Value { return known }
        let value = try make()
        sharedValues[uid] = value
        return value
    }

    /// Returns the plain values under a key of the current object, as a tree; nil if the key is missing or refers to
    /// nil.
    func tree(forKey key: String) -> PropertyListValue? {
        attempt(key) { () throws(ArchiveError) -> PropertyListValue? in
            guard let place = try place(of: Self.escaped(key)), try document.uid(at: place, from: record) != 0 else {
                return nil
            }
            // One reader for all trees, as its tables cover all objects of the archive.
            var reader =
                treeReader ?? PlainArchiveReader(document, classes, budget, maximumDepth: maximumDepth)
            treeReader = nil
            let tree = try reader.value(at: place, from: record, depth: depth)
            treeReader = reader
            return tree
        } ?? nil
    }

    // MARK: - Objects

    func object(of classes: [AnyClass], forKey key: String, for coder: KeyedUnarchiver) -> NSObject? {
        attempt(key) { () throws(ArchiveError) -> NSObject? in
            guard let uid = try uid(under: key) else { return nil }
            // An object that a class decodes itself is not an element of a collection.
            defer { elementCount = 0 }
            return try object(uid, of: classes, from: record, for: coder)
        } ?? nil
    }

    /// Returns the object with a UID; nil for the UID of nil.
    func object(
        _ uid: UInt32, of classes: [AnyClass], from record: ArchiveRecord, for coder: KeyedUnarchiver
    ) throws(ArchiveError) -> NSObject? {
        guard uid != 0 else { return nil }
        let index = try document.index(of: uid, from: record)
        if let known = objects[uid], known !== Self.readOnce {
            guard known !== Self.open, let object = known as? NSObject else { throw cycle(uid, record) }
            guard classes.contains(where: { object.isKind(of: $0) }) || object is ArchivedObject else {
                throw notAllowed("\(type(of: object))", at: try document.list.offset(of: index))
            }
            if let count = elementCounts?[Int(uid)], count > 0 {
                try budget.share(Int(count), offset: record.offset)
                elementCount += Int(count)
            }
            elementCount += 1
            return object
        }
        try budget.take(1, each: ArchiveLimits.Nominal.object, offset: record.offset)
        objects[uid] = Self.open
        let outer = elementCount
        elementCount = 0
        let object = try make(at: index, of: classes, for: coder)
        objects[uid] = object
        if elementCount > 0 { try keepElementCount(uid) }
        elementCount += outer + 1
        return object
    }

    private func keepElementCount(_ uid: UInt32) throws(ArchiveError) {
        if elementCounts == nil {
            try budget.take(document.count, each: MemoryLayout<UInt32>.size, offset: record.offset)
            let counts = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: document.count)
            counts.initialize(repeating: 0)
            elementCounts = counts
        }
        elementCounts?[Int(uid)] = UInt32(clamping: elementCount)
    }

    /// Runs a closure with a nested object as the current one; throws if it is nested too deep.
    func descend<Value>(
        into record: ArchiveRecord, allowing classes: [AnyClass], _ body: () throws(ArchiveError) -> Value
    ) throws(ArchiveError) -> Value {
        guard depth < maximumDepth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(maximumDepth)", offset: record.offset)
        }
        let outer = (self.record, nextKey, allowed)
        self.record = record
        nextKey = 0
        allowed = classes
        depth += 1
        // An error ends all decoding, so these need not be restored then.
        let value = try body()
        depth -= 1
        (self.record, nextKey, allowed) = outer
        return value
    }

    func mark(open uid: UInt32) { objects[uid] = Self.open }
    func mark(readOnce uid: UInt32) { objects[uid] = Self.readOnce }

    func notAllowed(_ name: String, at offset: Int) -> ArchiveError {
        ArchiveError(.classNotAllowed, "“\(name)” is not among the allowed classes", kind: name, offset: offset)
    }

    private func cycle(_ uid: UInt32, _ record: ArchiveRecord) -> ArchiveError {
        ArchiveError(.cycle, "object \(uid) contains itself", offset: record.offset)
    }

    // MARK: - Keys of the current object

    /// Returns the index of the value under a key of the current object; nil if the key is missing.
    private func place(of key: String) throws(ArchiveError) -> Int? {
        try document.find(key, in: record, next: &nextKey)
    }

    /// Returns the UID under a key of the current object; nil if the key is missing.
    private func uid(under key: String) throws(ArchiveError) -> UInt32? {
        guard let place = try place(of: key) else { return nil }
        return try document.uid(at: place, from: record)
    }

    // MARK: - Errors

    /// Runs a closure unless there was an error before; stores its error with the key prepended.
    @inline(__always)
    func attempt<Value>(_ key: String, _ body: () throws(ArchiveError) -> Value) -> Value? {
        guard !hasFailed else { return nil }
        do throws(ArchiveError) {
            return try body()
        } catch {
            firstError = error.under(key)
            return nil
        }
    }

    func fail(_ error: ArchiveError, key: String) {
        if firstError == nil { firstError = error.under(key) }
    }

    func refuse(_ error: any Error) {
        guard firstError == nil else { return }
        refusal = error
        firstError = error as? ArchiveError ?? ArchiveError(.initialiserFailed, "\(error)")
    }
}
