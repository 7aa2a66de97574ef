import Foundation

/// Makes objects from the bytes of a keyed archive: what is behind ``KeyedUnarchiver``.
final class ObjectDecoder {
    let document: ArchiveDocument
    /// The decoder's own copy of the archive; nil if the bytes are lent.
    private let copy: UnsafeMutableRawBufferPointer?
    private let maximumDepth: Int
    let budget: DecodingBudget

    /// The objects that were decoded, by UID, and marks for some that were not.
    private let objects: SlotTable
    /// The texts, data and arrays that were asked for more than once as Swift's own values, by UID.
    @exclusivity(unchecked) private var sharedValues: [UInt32: Any] = [:]
    /// What reads plain values as trees, once somebody asks for one.
    @exclusivity(unchecked) private var treeReader: PlainArchiveReader?

    // Exclusive access needs no check at run time: an archive is decoded on one thread, and nothing here is changed from within
    // a change of itself. Those checks were a tenth of decoding.

    /// The object that is being decoded. First this is `$top`.
    @exclusivity(unchecked) private(set) var record: ArchiveRecord
    @exclusivity(unchecked) private var nextKey = 0
    /// The elements met so far in the collection that is being decoded, those of collections in it as often as it holds them.
    @exclusivity(unchecked) var elementCount = 0
    /// How many each decoded collection holds so, by UID. Nil until the first one is decoded.
    @exclusivity(unchecked) private var elementCounts: UnsafeMutableBufferPointer<UInt32>?
    @exclusivity(unchecked) private var allowed: [AnyClass] = []
    @exclusivity(unchecked) private var depth = 0

    /// The classes that were met, by the UIDs of their descriptions.
    let classes: ClassTable
    @exclusivity(unchecked) var decodesUnknownClasses = false
    @exclusivity(unchecked) var hasDelegate = false

    @exclusivity(unchecked) private(set) var firstError: ArchiveError? { didSet { hasFailed = true } }
    /// Whether there is an error: asked more often than which.
    @exclusivity(unchecked) private(set) var hasFailed = false
    /// The error of a class that refused its archived form, as that class gave it.
    @exclusivity(unchecked) private(set) var refusal: (any Error)?

    /// Stands in for an object that was not made.
    private final class Mark: Sendable {}
    /// An object that is being decoded.
    private static let open = Mark()
    /// A text, data or array that was read once as Swift's own value.
    private static let readOnce = Mark()

    /// - Parameter buffer: must stay where it is until ``close()``.
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

    /// Says that the bytes are gone: whatever is asked for afterwards is an error.
    func close() {
        if firstError == nil { firstError = ArchiveError(.notKeyedArchive, "read after the end of its decoding") }
    }

    var allowedClasses: [AnyClass] { allowed }

    // MARK: - Values of the current object

    static func escaped(_ key: String) -> String { key.utf8.first == UInt8(ascii: "$") ? "$" + key : key }

    func contains(_ key: String) -> Bool {
        attempt(key) { () throws(ArchiveError) in try place(of: Self.escaped(key)) != nil } ?? false
    }

    /// The value that stands directly under a key of the current object; nil if the key is missing.
    func plain(_ key: String) -> BinaryPropertyList.Object? {
        attempt(key) { () throws(ArchiveError) -> BinaryPropertyList.Object? in
            guard let place = try place(of: Self.escaped(key)) else { return nil }
            return try document.list.object(at: place)
        } ?? nil
    }

    /// A missing key reads as nothing, as Foundation has it; a value of another type is an error.
    func mismatch<Value>(_ object: BinaryPropertyList.Object?, _ wanted: String, key: String) -> Value? {
        guard let object else { return nil }
        fail(ArchiveError(.typeMismatch, "not \(wanted)", kind: object.kind, offset: record.offset), key: key)
        return nil
    }

    /// The bytes under a key of the current object, where they lie.
    func bytes(forKey key: String) -> UnsafeRawBufferPointer? {
        switch plain(key) {
        case .data(let range): document.list.bytes.bytes(range)
        case let other: mismatch(other, "data", key: key)
        }
    }

    /// A Swift value under a key of the current object, made from its archived form without an object in between. Nil if
    /// the key is missing or refers to nothing; an error if `make` returns nil.
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

    /// Makes a value anew when it is first asked for; keeps it from the second time on. So each is made twice at most, and
    /// what is not shared, which is nearly all, costs no table.
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

    /// The plain values under a key of the current object, as a tree; nil if the key is missing or refers to nothing.
    func tree(forKey key: String) -> PropertyListValue? {
        attempt(key) { () throws(ArchiveError) -> PropertyListValue? in
            guard let place = try place(of: Self.escaped(key)), try document.uid(at: place, from: record) != 0 else {
                return nil
            }
            // One reader for all trees: it has room for each object of the archive.
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
            // What a class decodes itself is no element of a collection.
            defer { elementCount = 0 }
            return try object(uid, of: classes, from: record, for: coder)
        } ?? nil
    }

    /// The object with a UID; nil for nil.
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

    /// Runs a closure with an object on the way from the top: it must not be met again within, and not be too deep.
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
        // What is thrown ends all decoding: nobody reads these again then.
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

    /// The place of the value under a key of the current object; nil if it is missing.
    private func place(of key: String) throws(ArchiveError) -> Int? {
        try document.find(key, in: record, next: &nextKey)
    }

    /// The UID under a key of the current object; nil if it is missing.
    private func uid(under key: String) throws(ArchiveError) -> UInt32? {
        guard let place = try place(of: key) else { return nil }
        return try document.uid(at: place, from: record)
    }

    // MARK: - Errors

    /// Keeps the first error, and says what came above it.
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
