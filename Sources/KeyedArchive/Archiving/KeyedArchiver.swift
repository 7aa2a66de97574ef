public import Foundation

/// Writes object graphs as keyed archives: Foundation's `NSKeyedArchiver`, fast and the same bytes on every run.
///
/// Sharing follows identity: an object that is met twice is written once. Values without identity (strings, numbers) are
/// shared when they are equal and of one exact type, so `1`, `true` and `1.0` stay apart.
///
/// An error stops nothing at once, as `NSCoder` cannot throw: it is kept in ``error``, the rest is ignored, and
/// ``archivedData(withRootObject:requiringSecureCoding:)`` throws it.
open class KeyedArchiver: NSCoder {
    /// The key of the one object of `archivedData(withRootObject:requiringSecureCoding:)`.
    package static let rootKey = "root"

    let table = ObjectTable()
    private let rootIndex: ObjectTable.Index
    /// `$objects`: for each UID the object's place in the table.
    private let objects = GrowingBuffer<ObjectTable.Index>(capacity: 64)
    /// The UIDs of objects, and of collections by their memory, and the places of types in ``types``, by their addresses.
    private let identities = IdentityTable()
    /// Keeps alive what is in ``identities``.
    private let retainedObjects = RetainedObjects()
    /// The types met so far.
    private let types = GrowingBuffer<KnownType>(capacity: 16)
    /// The UIDs of Foundation's classes that were written, by ``ValueClass``; zero for none.
    private let valueClassUIDs = GrowingBuffer<UInt32>(repeating: 0, count: ValueClass.allCases.count)
    /// The keys and values of the objects that are being encoded, each object's behind those of the one that holds it. The
    /// first are those of `$top`.
    private let stack = GrowingBuffer<ObjectTable.Index>(capacity: 64)
    private var conditionals: [(identity: UInt, index: ObjectTable.Index)] = []
    /// Whether this archive only serves for sorting: see ``CanonicalOrder``.
    var sortsShallowly = false
    private var depth = 0
    private var unkeyedCount = 0
    private var isFinished = false
    /// Neither finished nor failed.
    private var isWriting = true
    private var names: [ObjectIdentifier: String] = [:]
    private let limits: ArchiveLimits
    private var firstError: ArchiveError?
    private var result = Data()
    private var secureCoding: Bool

    /// Told of each object, and asked for another in its place.
    open weak var delegate: (any KeyedArchiverDelegate)? {
        didSet { hasDelegate = delegate != nil }
    }
    /// Asking a weak reference for each object would cost more than most objects do.
    private var hasDelegate = false

    /// - Parameter requiringSecureCoding: refuse objects whose class does not adopt `NSSecureCoding`.
    public init(requiringSecureCoding: Bool, limits: ArchiveLimits = .standard) {
        secureCoding = requiringSecureCoding
        self.limits = limits
        rootIndex = table.reserve()
        objects.append(table.add("$null"))
        super.init()
    }

    // MARK: - Whole archives

    /// The archive of one object, under the key “root”.
    ///
    /// - Throws: ``ArchiveError``, naming the key path of what has no archived form.
    public class func archivedData(withRootObject object: Any, requiringSecureCoding: Bool) throws -> Data {
        let archiver = KeyedArchiver(requiringSecureCoding: requiringSecureCoding)
        archiver.encode(object, forKey: rootKey)
        archiver.finishEncoding()
        if let error = archiver.firstError { throw error }
        return archiver.result
    }

    /// The archive. Finishes it if that was not done; empty after an error.
    open var encodedData: Data {
        finishEncoding()
        return result
    }

    /// Ends the archive: nothing can be encoded afterwards.
    open func finishEncoding() {
        guard !isFinished else { return }
        if hasDelegate { delegate?.archiverWillFinish(self) }
        isFinished = true
        isWriting = false
        guard firstError == nil else { return }
        for (identity, index) in conditionals { table.fill(index, uid: identities.number(of: identity) ?? 0) }
        let top = table.reserve()
        table.fill(top, pairs: stack.elements)
        let objectsIndex = table.reserve()
        table.fill(objectsIndex, list: objects.elements)
        let root = [
            table.add("$version"), table.add(Int64(100_000)), table.add("$archiver"), table.add("NSKeyedArchiver"),
            table.add("$top"), top, table.add("$objects"), objectsIndex,
        ]
        root.withUnsafeBufferPointer { table.fill(rootIndex, pairs: $0) }
        guard checkSize() else { return }
        result = table.encoded(top: rootIndex)
        if hasDelegate { delegate?.archiverDidFinish(self) }
    }

    // MARK: - Class names

    /// Archives a class under another name, in this archive only.
    open func setClassName(_ codedName: String?, for cls: AnyClass) {
        names[ObjectIdentifier(cls)] = codedName
    }

    /// The name that this archive uses for a class, if one was set.
    open func className(for cls: AnyClass) -> String? { names[ObjectIdentifier(cls)] }

    /// Archives a class under another name, in every archive of this process.
    open class func setClassName(_ codedName: String?, for cls: AnyClass) {
        ClassNames.shared.setArchiveName(codedName, for: cls)
    }

    open class func className(for cls: AnyClass) -> String? { ClassNames.shared.archiveName(setFor: cls) }

    // MARK: - NSCoder

    open override var requiresSecureCoding: Bool {
        get { secureCoding }
        set { secureCoding = newValue }
    }
    open override var allowsKeyedCoding: Bool { true }
    open override var error: (any Error)? { firstError }

    open override func failWithError(_ error: any Error) {
        fail(error as? ArchiveError ?? ArchiveError(.unsupportedValue, "\(error)"))
    }

    open override func encode(_ object: Any?, forKey key: String) {
        guard isOpen(key) else { return }
        guard let object else { return put(table.add(uid: 0), key: key) }
        guard let uid = archive(object) else { return failed(under: key) }
        put(table.add(uid: uid), key: key)
    }

    /// Writes a reference that is nil unless the object is encoded by others as well, before or after.
    open override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        guard isOpen(key) else { return }
        guard let object, type(of: object) is AnyClass else { return put(table.add(uid: 0), key: key) }
        let instance = object as AnyObject
        let index = table.reserveIdentifier()
        conditionals.append((UInt(identity: instance), index))
        retainedObjects.append(instance)
        put(index, key: key)
    }

    open override func encode(_ value: Bool, forKey key: String) { plain(key) { $0.add(value) } }
    open override func encode(_ value: Int32, forKey key: String) { plain(key) { $0.add(Int64(value)) } }
    open override func encode(_ value: Int64, forKey key: String) { plain(key) { $0.add(value) } }
    open override func encode(_ value: Int, forKey key: String) { plain(key) { $0.add(Int64(value)) } }
    open override func encode(_ value: Float, forKey key: String) { plain(key) { $0.add(value) } }
    open override func encode(_ value: Double, forKey key: String) { plain(key) { $0.add(value) } }

    open override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        let data = Data(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length))
        plain(key) { $0.add(data) }
    }

    /// Encodes under the keys “$0”, “$1”, …, as messages of Apple's developer tools do.
    open override func encode(_ object: Any?) {
        let key = "$\(unkeyedCount)"
        guard isOpen(key) else { return }
        unkeyedCount += 1
        var uid: UInt32? = 0
        if let object { uid = archive(object) }
        guard let uid else { return failed(under: key) }
        stack.append(table.add(key))
        stack.append(table.add(uid: uid))
    }

    open override func encodeRootObject(_ rootObject: Any) { encode(rootObject) }

    // MARK: - What the value classes use

    /// Writes a plain value directly under a key.
    @inline(__always)
    func plain(_ key: String, _ add: (borrowing ObjectTable) -> ObjectTable.Index) {
        guard isOpen(key) else { return }
        put(add(table), key: key)
    }

    func plain(_ key: CommonText, _ add: (borrowing ObjectTable) -> ObjectTable.Index) {
        guard isWriting else { return }
        let value = add(table)
        stack.append(table.add(key))
        stack.append(value)
    }

    /// Writes the elements of a collection under a key.
    ///
    /// - Parameter archive: puts the element at a position into `$objects`; nil after an error.
    @inline(__always)
    func list(_ count: Int, key: CommonText, _ archive: (Int) -> UInt32?) {
        guard isWriting else { return }
        let index = table.reserve()
        let start = stack.count
        for position in 0..<count {
            guard let uid = archive(position) else { return failed(under: "\(key.text)[\(position)]") }
            stack.append(table.add(uid: uid))
        }
        table.fill(index, list: stack.elements(from: start))
        stack.truncate(to: start)
        stack.append(table.add(key))
        stack.append(index)
    }

    func uid(of number: Int64) -> UInt32? { scalar(table.add(number)) }
    func uid(of text: String) -> UInt32? { scalar(table.add(text)) }

    // MARK: - Objects

    /// Puts a value into `$objects`: its UID, nil after an error.
    func archive(_ object: Any) -> UInt32? { archive(value: object) }

    func archive<Value>(value: Value) -> UInt32? {
        // The usual types first, by their exact type: a look-up costs more than writing most of them.
        if Value.self == String.self { return scalar(table.add(unsafeBitCast(value, to: String.self))) }
        if Value.self == Date.self { return write(date: unsafeBitCast(value, to: Date.self)) }
        if Value.self == UUID.self { return write(uuid: unsafeBitCast(value, to: UUID.self)) }
        if Value.self == Data.self { return scalar(table.add(unsafeBitCast(value, to: Data.self))) }
        if Value.self == Int.self { return scalar(table.add(Int64(unsafeBitCast(value, to: Int.self)))) }
        if Value.self == Double.self { return scalar(table.add(unsafeBitCast(value, to: Double.self))) }
        if Value.self == Bool.self { return scalar(table.add(unsafeBitCast(value, to: Bool.self))) }
        if Value.self == [Int].self { return archive(numbers: unsafeBitCast(value, to: [Int].self)) }
        if Value.self == [String].self { return archive(texts: unsafeBitCast(value, to: [String].self)) }
        // What is in an `Any` inside of a collection.
        if Value.self == Any.self { return archive(unsafeBitCast(value, to: Any.self)) }
        let known = types[number(of: Value.self)]
        if known.isClass { return archive(object: unsafeBitCast(value, to: AnyObject.self)) }
        if known.isCollection, case .collection(let archive) = known.form.takeUnretainedValue().kind {
            return withUnsafePointer(to: value) { archive($0, self) }
        }
        return archive(ArchivableValue(value, isShallow: sortsShallowly), of: Value.self)
    }

    private func archive(_ value: ArchivableValue, of type: Any.Type) -> UInt32? {
        switch value {
        case .boolean(let value): return scalar(table.add(value))
        case .integer(let value): return scalar(table.add(value))
        case .unsigned(let value): return scalar(table.add(value))
        case .float(let value): return scalar(table.add(value))
        case .real(let value): return scalar(table.add(value))
        case .string(let value): return scalar(table.add(value))
        case .data(let value): return scalar(table.add(value))
        case .object(let object, _): return archive(object: object)
        case .value(let value): return write(value)
        case .unsupported:
            fail(ArchiveError(.unsupportedValue, "no archived form", kind: "\(type)"))
            return nil
        }
    }

    private func scalar(_ index: ObjectTable.Index) -> UInt32? {
        let known = table.entries[Int(index)].uid
        guard known == 0 else { return known }
        guard checkSize() else { return nil }
        let uid = UInt32(objects.count)
        objects.append(index)
        table.entries[Int(index)].uid = uid
        return uid
    }

    func archive(object: AnyObject) -> UInt32? {
        let identity = UInt(identity: object)
        if let known = identities.number(of: identity) { return known }
        retainedObjects.append(object)
        guard hasDelegate, let delegate else { return write(object: object, identity: identity) }
        guard let replacement = delegate.archiver(self, willEncode: object) else { return 0 }
        let chosen = replacement as AnyObject
        guard chosen !== object else {
            let uid = write(object: object, identity: identity)
            delegate.archiver(self, didEncode: object)
            return uid
        }
        delegate.archiver(self, willReplace: object, with: replacement)
        let known = identities.number(of: UInt(identity: chosen))
        if known == nil { retainedObjects.append(chosen) }
        guard let uid = known ?? write(object: chosen, identity: UInt(identity: chosen)) else { return nil }
        identities.insert(identity, number: uid)
        delegate.archiver(self, didEncode: chosen)
        return uid
    }

    private func write(object: AnyObject, identity: UInt) -> UInt32? {
        let type: AnyClass = type(of: object)
        let number = number(of: type)
        switch types[number].form.takeUnretainedValue().kind {
        case .inline:
            guard let uid = archive(ArchivableValue(object, isShallow: sortsShallowly), of: type) else { return nil }
            identities.insert(identity, number: uid)
            return uid
        case .foundation:
            if let object = object as? NSObject, let value = FoundationValue(object, isShallow: sortsShallowly) {
                return write(value, identity: identity)
            }
        case .coding(let isSecure, let encode):
            guard isSecure || !secureCoding else {
                fail(ArchiveError(.classNotAllowed, "does not support secure coding", kind: "\(type)"))
                return nil
            }
            guard let uid = begin(identity: identity) else { return nil }
            let start = stack.count
            encode(object, self)
            return end(uid, from: start, cls: classUID(of: object, type, number))
        case .unsupportedClass:
            if let value = StoredObjects.unboxed(object) { return archive(value) }
        case .collection, .other: break
        }
        fail(ArchiveError(.unsupportedValue, "does not adopt NSCoding", kind: "\(type)"))
        return nil
    }

    /// Writes a collection of Swift's, once for all copies that share its memory.
    @inline(__always)
    func write(storage: AnyObject?, as valueClass: ValueClass, body: (KeyedArchiver) -> Void) -> UInt32? {
        let identity = storage.map { UInt(identity: $0) }
        if let storage, let identity {
            if let known = identities.number(of: identity) { return known }
            retainedObjects.append(storage)
        }
        guard let uid = begin(identity: identity) else { return nil }
        let start = stack.count
        body(self)
        return end(uid, from: start, cls: classUID(valueClass))
    }

    private func write(date: Date) -> UInt32? {
        guard let uid = begin(identity: nil) else { return nil }
        let start = stack.count
        plain(CommonText.time) { $0.add(date.timeIntervalSinceReferenceDate) }
        return end(uid, from: start, cls: classUID(.date))
    }

    private func write(uuid: UUID) -> UInt32? {
        guard let uid = begin(identity: nil) else { return nil }
        let start = stack.count
        plain(CommonText.uuid) { table in withUnsafeBytes(of: uuid.uuid) { table.add(data: $0) } }
        return end(uid, from: start, cls: classUID(.uuid))
    }

    private func write(_ value: FoundationValue, identity: UInt? = nil) -> UInt32? {
        guard let uid = begin(identity: identity) else { return nil }
        let start = stack.count
        value.encode(with: self)
        return end(uid, from: start, cls: classUID(value.valueClass))
    }

    /// Takes a UID for an object whose keys follow. Nil after an error.
    private func begin(identity: UInt?) -> UInt32? {
        guard depth < limits.depth else {
            fail(ArchiveError(.limitExceeded, "nested deeper than \(limits.depth)"))
            return nil
        }
        guard checkSize() else { return nil }
        let uid = UInt32(objects.count)
        if let identity { identities.insert(identity, number: uid) }
        objects.append(table.reserve())
        depth += 1
        return uid
    }

    /// Writes an object whose keys and values are on the stack.
    private func end(_ uid: UInt32, from start: Int, cls: UInt32) -> UInt32? {
        depth -= 1
        guard isWriting else {
            stack.truncate(to: start)
            return nil
        }
        stack.append(table.add(.cls))
        stack.append(table.add(uid: cls))
        table.fill(objects[Int(uid)], pairs: stack.elements(from: start))
        stack.truncate(to: start)
        return uid
    }

    // MARK: - Classes

    private func number(of type: Any.Type) -> Int {
        let identity = UInt(bitPattern: ObjectIdentifier(type))
        if let known = identities.number(of: identity) { return Int(known) }
        identities.insert(identity, number: UInt32(types.count))
        types.append(KnownType(TypeForm.of(type)))
        return types.count - 1
    }

    private func classUID(_ valueClass: ValueClass) -> UInt32 {
        let known = valueClassUIDs[Int(valueClass.rawValue)]
        guard known == 0 else { return known }
        let uid = classObject(valueClass.chain)
        valueClassUIDs[Int(valueClass.rawValue)] = uid
        return uid
    }

    private func classUID(of object: AnyObject, _ type: AnyClass, _ number: Int) -> UInt32 {
        var (cls, number): (AnyClass, Int) = (type, number)
        if types[number].isNSObject, let wanted = unsafeDowncast(object, to: NSObject.self).classForKeyedArchiver,
            wanted != type
        {
            (cls, number) = (wanted, self.number(of: wanted))
        }
        guard types[number].classUID == 0 else { return types[number].classUID }
        let uid = classObject(chain(of: cls))
        types[number].classUID = uid
        return uid
    }

    private func classObject(_ chain: [String]) -> UInt32 {
        let uid = UInt32(objects.count)
        let index = table.reserve()
        objects.append(index)
        let list = table.reserve()
        let start = stack.count
        for (position, name) in chain.enumerated() {
            stack.append(position > 0 && position == chain.count - 1 ? table.add(.object) : table.add(name))
        }
        let name = stack[start]
        table.fill(list, list: stack.elements(from: start))
        stack.truncate(to: start)
        stack.append(table.add(.className))
        stack.append(name)
        stack.append(table.add(.classes))
        stack.append(list)
        table.fill(index, pairs: stack.elements(from: start))
        stack.truncate(to: start)
        return uid
    }

    /// A class's archive names, the most derived first and “NSObject” last.
    private func chain(of type: AnyClass) -> [String] {
        guard !names.isEmpty else { return ClassNames.shared.chain(of: type) }
        return ClassNames.ancestors(of: type).map { cls in
            names[ObjectIdentifier(cls)] ?? ClassNames.shared.archiveName(of: cls)
        }
    }

    // MARK: - State

    @inline(__always)
    private func put(_ value: ObjectTable.Index, key: String) {
        // A key of the user that starts with “$” gets one more, so that it cannot stand for “$class”.
        stack.append(key.utf8.first == UInt8(ascii: "$") ? table.add("$" + key) : table.add(key))
        stack.append(value)
    }

    func fail(_ error: ArchiveError) {
        if firstError == nil { firstError = error }
        isWriting = false
    }

    private func failed(under key: String) { firstError = firstError?.under(key) }

    @inline(__always)
    private func checkSize() -> Bool {
        guard table.bytes <= limits.bytes, objects.count < limits.objects else {
            return failTooLarge()
        }
        return true
    }

    @inline(never)
    private func failTooLarge() -> Bool {
        fail(ArchiveError(.limitExceeded, "more than \(limits.bytes) bytes or \(limits.objects) objects"))
        return false
    }

    @inline(__always)
    private func isOpen(_ key: String) -> Bool { isWriting || isFailed(key) }

    @inline(never)
    private func isFailed(_ key: String) -> Bool {
        if isFinished { fail(ArchiveError(.unsupportedValue, "encoded after the end of the archive", keyPath: key)) }
        return false
    }
}
