public import Foundation

/// A replacement for Foundation's `NSKeyedArchiver` that is fast and writes the same bytes on every run.
///
/// Sharing follows identity: an object that is encoded twice is written once. Values without identity (strings,
/// numbers) are shared when they are equal and have the same type, so `1`, `true` and `1.0` stay distinct.
///
/// As `NSCoder` cannot throw, an error does not stop the caller: it is stored in ``error``, further values are ignored,
/// and ``archivedData(withRootObject:requiringSecureCoding:)`` throws it.
open class KeyedArchiver: NSCoder {
    /// The key of the root object in `archivedData(withRootObject:requiringSecureCoding:)`.
    package static let rootKey = "root"

    /// The index in the table of a UID object, which refers to an object of the archive. Zero means none, as it is the
    /// index of “$null”.
    typealias Reference = ObjectTable.Index

    let work = ArchiveWorkspace.take()
    private let rootIndex: ObjectTable.Index
    private var conditionals: [(identity: UInt, place: Reference)] = []
    /// The reference to nil.
    private var none: Reference = 0
    /// True if this archive only serves for sorting: see ``CanonicalOrder``.
    var sortsShallowly = false
    /// The sum of the counts of counted sets: see ``CountedElements/maximumSum``.
    var countedSum = 0
    private var depth = 0
    private var unkeyedCount = 0
    private var isFinished = false
    /// True until the archive is finished or failed.
    private var isWriting = true
    private var names: [ObjectIdentifier: String] = [:]
    private let limits: ArchiveLimits
    private var firstError: ArchiveError?
    private var result = Data()
    private var secureCoding: Bool

    /// The delegate, which is notified of each object and may replace it.
    open weak var delegate: (any KeyedArchiverDelegate)? {
        didSet { hasDelegate = delegate != nil }
    }
    /// Caches the presence of a delegate: loading a weak reference per object would cost more than most objects do.
    private var hasDelegate = false

    /// Creates an archiver.
    ///
    /// - Parameters:
    ///   - requiringSecureCoding: True to refuse objects whose class does not adopt `NSSecureCoding`.
    ///   - limits: The limits of the archive.
    public init(requiringSecureCoding: Bool, limits: ArchiveLimits = .standard) {
        secureCoding = requiringSecureCoding
        self.limits = limits
        rootIndex = work.table.reserve()
        work.objects.append(work.table.add("$null"))
        super.init()
    }

    deinit { work.giveBack() }

    // MARK: - Whole archives

    /// Archives an object under the key “root”.
    ///
    /// - Throws: ``ArchiveError`` with the key path of a value that cannot be archived.
    public class func archivedData(withRootObject object: Any, requiringSecureCoding: Bool) throws -> Data {
        try KeyedArchiver(requiringSecureCoding: requiringSecureCoding).archivedData(of: object)
    }

    /// Archives an object of a class that has another name in this archive, under the key “root”.
    ///
    /// - Throws: ``ArchiveError`` with the key path of a value that cannot be archived.
    package class func archivedData(
        withRootObject object: some NSObject & NSSecureCoding, named name: String
    ) throws -> Data {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName(name, for: type(of: object))
        return try archiver.archivedData(of: object)
    }

    private func archivedData(of root: Any) throws -> Data {
        encode(root, forKey: Self.rootKey)
        finishEncoding()
        if let firstError { throw firstError }
        return result
    }

    /// The archive, which is finished first if necessary; empty after an error.
    open var encodedData: Data {
        finishEncoding()
        return result
    }

    /// Finishes the archive: nothing can be encoded afterwards.
    open func finishEncoding() {
        guard !isFinished else { return }
        if hasDelegate { delegate?.archiverWillFinish(self) }
        isFinished = true
        isWriting = false
        guard firstError == nil else { return }
        for (identity, place) in conditionals {
            guard let reference = work.identities.number(of: identity) else { continue }
            work.table.fill(place, uidOf: reference)
        }
        dropReplacedKeys(from: 0)
        let top = work.table.reserve()
        work.table.fill(top, pairs: work.stack.elements)
        let objectsIndex = work.table.reserve()
        work.table.fill(objectsIndex, list: work.objects.elements)
        let root = [
            work.table.add("$version"), work.table.add(Int64(100_000)), work.table.add("$archiver"),
            work.table.add("NSKeyedArchiver"),
            work.table.add("$top"), top, work.table.add("$objects"), objectsIndex,
        ]
        root.withUnsafeBufferPointer { work.table.fill(rootIndex, pairs: $0) }
        do throws(ArchiveError) {
            result = try work.table.encoded(top: rootIndex, limits: limits)
        } catch {
            return fail(error)
        }
        if hasDelegate { delegate?.archiverDidFinish(self) }
    }

    // MARK: - Class names

    /// Sets the name of a class in this archive only; nil removes it.
    open func setClassName(_ codedName: String?, for cls: AnyClass) {
        names[ObjectIdentifier(cls)] = codedName
    }

    /// Returns the name that was set for a class in this archive; nil if none was.
    open func className(for cls: AnyClass) -> String? { names[ObjectIdentifier(cls)] }

    /// Sets the name of a class in every archive of this process; nil removes it.
    open class func setClassName(_ codedName: String?, for cls: AnyClass) {
        ClassNames.shared.setArchiveName(codedName, for: cls)
    }

    /// Returns the name that was set for a class in this process; nil if none was.
    open class func className(for cls: AnyClass) -> String? { ClassNames.shared.archiveName(setFor: cls) }

    // MARK: - NSCoder

    /// True to refuse objects whose class does not adopt `NSSecureCoding`.
    open override var requiresSecureCoding: Bool {
        get { secureCoding }
        set { secureCoding = newValue }
    }
    /// True: values are encoded under keys.
    open override var allowsKeyedCoding: Bool { true }
    /// The first error; nil if there was none.
    open override var error: (any Error)? { firstError }

    /// Records an error, unless there was one before. Nothing is encoded afterwards.
    open override func failWithError(_ error: any Error) {
        fail(error as? ArchiveError ?? ArchiveError(.unsupportedValue, "\(error)"))
    }

    /// Encodes an object or value under a key; nil as a reference to nil.
    open override func encode(_ object: Any?, forKey key: String) {
        guard isOpen(key) else { return }
        guard let object else { return put(nothing(), key: key) }
        guard let reference = archive(object) else { return failed(under: key) }
        put(reference, key: key)
    }

    /// Encodes a reference that is nil unless the object is also encoded unconditionally, before or after.
    open override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        guard isOpen(key) else { return }
        guard let object, type(of: object) is AnyClass else { return put(nothing(), key: key) }
        let instance = object as AnyObject
        let place = work.table.reserveUID()
        conditionals.append((UInt(identity: instance), place))
        work.retainedObjects.append(instance)
        put(place, key: key)
    }

    /// Encodes a Boolean value directly under a key.
    open override func encode(_ value: Bool, forKey key: String) { plain(key) { $0.add(value) } }
    /// Encodes an integer directly under a key.
    open override func encode(_ value: Int32, forKey key: String) { plain(key) { $0.add(Int64(value)) } }
    /// Encodes an integer directly under a key.
    open override func encode(_ value: Int64, forKey key: String) { plain(key) { $0.add(value) } }
    /// Encodes an integer directly under a key.
    open override func encode(_ value: Int, forKey key: String) { plain(key) { $0.add(Int64(value)) } }
    /// Encodes a number directly under a key.
    open override func encode(_ value: Float, forKey key: String) { plain(key) { $0.add(value) } }
    /// Encodes a number directly under a key.
    open override func encode(_ value: Double, forKey key: String) { plain(key) { $0.add(value) } }

    /// Encodes bytes as data directly under a key; nil as empty data.
    open override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        let data = Data(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length))
        plain(key) { $0.add(data) }
    }

    /// Encodes under the keys “$0”, “$1”, …, like the messages of Apple's developer tools.
    open override func encode(_ object: Any?) {
        let key = "$\(unkeyedCount)"
        guard isOpen(key) else { return }
        unkeyedCount += 1
        guard let reference = object.map({ archive($0) }) ?? nothing() else { return failed(under: key) }
        work.stack.append(work.table.add(key))
        work.stack.append(reference)
    }

    /// Encodes an object like `encode(_:)`.
    open override func encodeRootObject(_ rootObject: Any) { encode(rootObject) }

    // MARK: - Primitives of the value classes

    /// Writes a plain value directly under a key.
    @inline(__always)
    func plain(_ key: String, _ add: (borrowing ObjectTable) -> ObjectTable.Index) {
        guard isOpen(key) else { return }
        put(add(work.table), key: key)
    }

    func plain(_ key: CommonText, _ add: (borrowing ObjectTable) -> ObjectTable.Index) {
        guard isWriting else { return }
        let value = add(work.table)
        work.stack.append(work.table.add(key))
        work.stack.append(value)
    }

    /// Writes the elements of a collection under a key.
    ///
    /// - Parameter archive: Adds the element at a position to `$objects`; returns nil after an error.
    @inline(__always)
    func list(_ count: Int, key: CommonText, _ archive: (Int) -> Reference?) {
        guard isWriting else { return }
        let index = work.table.reserve()
        let start = work.stack.count
        for position in 0..<count {
            guard let reference = archive(position) else { return failed(under: "\(key.text)[\(position)]") }
            work.stack.append(reference)
        }
        work.table.fill(index, list: work.stack.elements(from: start))
        work.stack.truncate(to: start)
        work.stack.append(work.table.add(key))
        work.stack.append(index)
    }

    /// Writes a collection of scalars under “NS.objects”.
    @inline(__always)
    func list(_ count: Int, ofScalars add: (Int) -> ObjectTable.Index) {
        guard isWriting else { return }
        let index = work.table.reserve()
        let start = work.table.references.count
        for position in 0..<count {
            guard let reference = scalar(add(position)) else {
                return failed(under: "\(CommonText.elements.text)[\(position)]")
            }
            work.table.references.append(reference)
        }
        work.table.fill(index, listFrom: start)
        work.stack.append(work.table.add(.elements))
        work.stack.append(index)
    }

    // MARK: - Objects

    /// Adds a value to `$objects` and returns the reference to it; nil after an error.
    func archive(_ object: Any) -> Reference? { archive(value: object) }

    func archive<Value>(value: Value) -> Reference? {
        // The usual types come first, by their exact type: a lookup costs more than writing most of them.
        if Value.self == String.self { return scalar(work.table.add(unsafeBitCast(value, to: String.self))) }
        if Value.self == Date.self { return write(date: unsafeBitCast(value, to: Date.self)) }
        if Value.self == UUID.self { return write(uuid: unsafeBitCast(value, to: UUID.self)) }
        if Value.self == Data.self { return scalar(work.table.add(unsafeBitCast(value, to: Data.self))) }
        if Value.self == Int.self { return scalar(work.table.add(Int64(unsafeBitCast(value, to: Int.self)))) }
        if Value.self == Double.self { return scalar(work.table.add(unsafeBitCast(value, to: Double.self))) }
        if Value.self == Bool.self { return scalar(work.table.add(unsafeBitCast(value, to: Bool.self))) }
        if Value.self == [Int].self { return archive(numbers: unsafeBitCast(value, to: [Int].self)) }
        if Value.self == [String].self { return archive(texts: unsafeBitCast(value, to: [String].self)) }
        if Value.self == PropertyListValue.self {
            return archive(tree: unsafeBitCast(value, to: PropertyListValue.self))
        }
        // A value in an `Any` inside a collection.
        if Value.self == Any.self { return archive(unsafeBitCast(value, to: Any.self)) }
        let known = work.types[number(of: Value.self)]
        if known.isClass { return archive(object: unsafeBitCast(value, to: AnyObject.self)) }
        if known.isCollection, case .collection(let archive) = known.form.takeUnretainedValue().kind {
            return withUnsafePointer(to: value) { archive($0, self) }
        }
        return archive(ArchivableValue(value, isShallow: sortsShallowly), of: Value.self)
    }

    private func archive(_ value: ArchivableValue, of type: Any.Type) -> Reference? {
        switch value {
        case .plain(let value): return archive(tree: value)
        case .object(let object, _): return archive(object: object)
        case .value(let value): return write(value)
        case .unsupported:
            fail(ArchiveError(.unsupportedValue, "has no archived form", kind: "\(type)"))
            return nil
        }
    }

    func scalar(_ index: ObjectTable.Index) -> Reference? {
        let known = work.table.reference(to: index)
        guard known == 0 else { return known }
        guard checkSize() else { return nil }
        let reference = take(index)
        work.table.set(reference: reference, to: index)
        return reference
    }

    /// Assigns the next UID to an object.
    @inline(__always)
    private func take(_ index: ObjectTable.Index) -> Reference {
        work.objects.append(index)
        return work.table.append(uid: UInt32(work.objects.count - 1))
    }

    private func nothing() -> Reference {
        if none == 0 { none = work.table.append(uid: 0) }
        return none
    }

    func archive(object: AnyObject) -> Reference? {
        let identity = UInt(identity: object)
        if let known = work.identities.number(of: identity) { return known }
        work.retainedObjects.append(object)
        guard hasDelegate, let delegate else { return write(object: object, identity: identity) }
        guard let replacement = delegate.archiver(self, willEncode: object) else { return nothing() }
        let chosen = replacement as AnyObject
        guard chosen !== object else {
            let reference = write(object: object, identity: identity)
            delegate.archiver(self, didEncode: object)
            return reference
        }
        delegate.archiver(self, willReplace: object, with: replacement)
        let known = work.identities.number(of: UInt(identity: chosen))
        if known == nil { work.retainedObjects.append(chosen) }
        guard let reference = known ?? write(object: chosen, identity: UInt(identity: chosen)) else { return nil }
        work.identities.insert(identity, number: reference)
        delegate.archiver(self, didEncode: chosen)
        return reference
    }

    private func write(object: AnyObject, identity: UInt) -> Reference? {
        let type: AnyClass = type(of: object)
        let number = number(of: type)
        switch work.types[number].form.takeUnretainedValue().kind {
        case .inline:
            let value = ArchivableValue(object, isShallow: sortsShallowly)
            guard let reference = archive(value, of: type) else { return nil }
            work.identities.insert(identity, number: reference)
            return reference
        case .foundation:
            if type == NSNull.self, object !== NSNull.one {
                guard let reference = archive(object: NSNull.one) else { return nil }
                work.identities.insert(identity, number: reference)
                return reference
            }
            if let object = object as? NSObject, let value = FoundationValue(object, isShallow: sortsShallowly) {
                return write(value, identity: identity)
            }
        case .coding(let isSecure, let encode):
            guard isSecure || !secureCoding else {
                fail(ArchiveError(.classNotAllowed, "does not support secure coding", kind: "\(type)"))
                return nil
            }
            guard let opened = begin(identity: identity) else { return nil }
            let start = work.stack.count
            encode(object, self)
            dropReplacedKeys(from: start)
            return end(opened, from: start, cls: cls(of: object, type, number))
        case .unsupportedClass:
            if let value = StoredObjects.unboxed(object) { return archive(value) }
        case .collection, .other: break
        }
        fail(ArchiveError(.unsupportedValue, "does not adopt NSCoding", kind: "\(type)"))
        return nil
    }

    /// Writes a Swift collection, once for all copies that share its storage.
    @inline(__always)
    func write(storage: AnyObject?, as valueClass: ValueClass, body: (KeyedArchiver) -> Void) -> Reference? {
        let identity = storage.map { UInt(identity: $0) }
        if let storage, let identity {
            if let known = work.identities.number(of: identity) { return known }
            work.retainedObjects.append(storage)
        }
        guard let opened = begin(identity: identity) else { return nil }
        let start = work.stack.count
        body(self)
        return end(opened, from: start, cls: cls(valueClass))
    }

    func write(date: Date) -> Reference? {
        guard let opened = begin(identity: nil) else { return nil }
        let start = work.stack.count
        plain(CommonText.time) { $0.add(date.timeIntervalSinceReferenceDate) }
        return end(opened, from: start, cls: cls(.date))
    }

    private func write(uuid: UUID) -> Reference? {
        guard let opened = begin(identity: nil) else { return nil }
        let start = work.stack.count
        plain(CommonText.uuid) { table in withUnsafeBytes(of: uuid.uuid) { work.table.add(data: $0) } }
        return end(opened, from: start, cls: cls(.uuid))
    }

    private func write(_ value: FoundationValue, identity: UInt? = nil) -> Reference? {
        guard let opened = begin(identity: identity) else { return nil }
        let start = work.stack.count
        value.encode(with: self)
        return end(opened, from: start, cls: cls(value.valueClass))
    }

    /// An object whose keys follow.
    private typealias Opened = (index: ObjectTable.Index, reference: Reference)

    /// Begins an object; nil after an error.
    private func begin(identity: UInt?) -> Opened? {
        guard depth < limits.depth else {
            fail(ArchiveError(.limitExceeded, "nested deeper than \(limits.depth)"))
            return nil
        }
        guard checkSize() else { return nil }
        let index = work.table.reserve()
        let reference = take(index)
        if let identity { work.identities.insert(identity, number: reference) }
        depth += 1
        return (index, reference)
    }

    /// Writes an object whose keys and values are on the stack.
    private func end(_ opened: Opened, from start: Int, cls: Reference) -> Reference? {
        depth -= 1
        guard isWriting else {
            work.stack.truncate(to: start)
            return nil
        }
        work.stack.append(work.table.add(.cls))
        work.stack.append(cls)
        work.table.fill(opened.index, pairs: work.stack.elements(from: start))
        work.stack.truncate(to: start)
        return opened.reference
    }

    /// Keeps the last value of a key that was encoded twice, like Apple's archiver: readers refuse duplicate keys.
    private func dropReplacedKeys(from start: Int) {
        let count = (work.stack.count - start) / 2
        guard count > 1, hasRepeatedKey(count, from: start) else { return }
        var places: [ObjectTable.Index: Int] = [:]
        var pairs: [ObjectTable.Index] = []
        for position in 0..<count {
            let (key, value) = (work.stack[start + 2 * position], work.stack[start + 2 * position + 1])
            if let place = places[key] {
                pairs[place + 1] = value
            } else {
                places[key] = pairs.count
                pairs += [key, value]
            }
        }
        work.stack.truncate(to: start)
        pairs.withUnsafeBufferPointer { work.stack.append(copying: $0) }
    }

    private func hasRepeatedKey(_ count: Int, from start: Int) -> Bool {
        // Comparing a few keys pairwise is faster than a set of them.
        guard count <= ArchiveRecord.longestScanned else {
            return Set((0..<count).map { work.stack[start + 2 * $0] }).count < count
        }
        for position in 1..<count {
            let key = work.stack[start + 2 * position]
            for earlier in 0..<position where work.stack[start + 2 * earlier] == key { return true }
        }
        return false
    }

    // MARK: - Classes

    private func number(of type: Any.Type) -> Int {
        let identity = UInt(bitPattern: ObjectIdentifier(type))
        if let known = work.identities.number(of: identity) { return Int(known) }
        work.identities.insert(identity, number: UInt32(work.types.count))
        work.types.append(ArchivedTypeInfo(TypeForm.of(type)))
        return work.types.count - 1
    }

    private func cls(_ valueClass: ValueClass) -> Reference {
        let known = work.valueClasses[Int(valueClass.rawValue)]
        guard known == 0 else { return known }
        let reference = classObject(valueClass.chain)
        work.valueClasses[Int(valueClass.rawValue)] = reference
        return reference
    }

    private func cls(of object: AnyObject, _ type: AnyClass, _ number: Int) -> Reference {
        var (cls, number): (AnyClass, Int) = (type, number)
        if work.types[number].isNSObject, let wanted = unsafeDowncast(object, to: NSObject.self).classForKeyedArchiver,
            wanted != type
        {
            (cls, number) = (wanted, self.number(of: wanted))
        }
        guard work.types[number].cls == 0 else { return work.types[number].cls }
        let reference = classObject(chain(of: cls))
        work.types[number].cls = reference
        return reference
    }

    private func classObject(_ chain: [String]) -> Reference {
        let index = work.table.reserve()
        let reference = take(index)
        let list = work.table.reserve()
        let start = work.stack.count
        for (position, name) in chain.enumerated() {
            work.stack.append(
                position > 0 && position == chain.count - 1 ? work.table.add(.object) : work.table.add(name))
        }
        let name = work.stack[start]
        work.table.fill(list, list: work.stack.elements(from: start))
        work.stack.truncate(to: start)
        work.stack.append(work.table.add(.className))
        work.stack.append(name)
        work.stack.append(work.table.add(.classes))
        work.stack.append(list)
        work.table.fill(index, pairs: work.stack.elements(from: start))
        work.stack.truncate(to: start)
        return reference
    }

    /// Returns the archive names of a class and its ancestors, the most derived first and “NSObject” last.
    private func chain(of type: AnyClass) -> [String] {
        guard !names.isEmpty else { return ClassNames.shared.chain(of: type) }
        return ClassNames.ancestors(of: type).map { cls in
            names[ObjectIdentifier(cls)] ?? ClassNames.shared.archiveName(of: cls)
        }
    }

    // MARK: - State

    @inline(__always)
    private func put(_ value: ObjectTable.Index, key: String) {
        // A user's key that starts with “$” gets another one, so that it cannot be mistaken for “$class”.
        work.stack.append(key.utf8.first == UInt8(ascii: "$") ? work.table.add("$" + key) : work.table.add(key))
        work.stack.append(value)
    }

    func fail(_ error: ArchiveError) {
        if firstError == nil { firstError = error }
        isWriting = false
    }

    private func failed(under key: String) { firstError = firstError?.under(key) }

    @inline(__always)
    private func checkSize() -> Bool {
        // Ends a hopeless case early; the exact sizes are known, and checked, at the end.
        guard work.table.size <= limits.bytes, work.objects.count < limits.objects else {
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
        if isFinished { fail(ArchiveError(.unsupportedValue, "encoded after the archive was finished", keyPath: key)) }
        return false
    }
}
