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

    private var table = ObjectTable()
    private let rootIndex: ObjectTable.Index
    /// `$objects`: for each UID the object's place in the table.
    private var objects: [ObjectTable.Index]
    /// The UIDs of objects with identity. ``retained`` keeps them alive, so that no identity is used twice.
    private var identities: [ObjectIdentifier: UInt32] = [:]
    private var retained: [AnyObject] = []
    /// The UIDs of scalars that are objects, by their place in the table.
    private var scalars: [ObjectTable.Index: UInt32] = [:]
    private var classes: [String: UInt32] = [:]
    /// The keys and values of the objects that are being encoded, the innermost last. The first is `$top`.
    private var frames: [[(key: ObjectTable.Index, value: ObjectTable.Index)]] = [[]]
    private var unkeyedCount = 0
    private var isFinished = false
    private var names: [ObjectIdentifier: String] = [:]
    private let limits: ArchiveLimits
    private var firstError: ArchiveError?
    private var result = Data()

    /// - Parameter requiringSecureCoding: refuse objects whose class does not adopt `NSSecureCoding`.
    public init(requiringSecureCoding: Bool, limits: ArchiveLimits = .standard) {
        secureCoding = requiringSecureCoding
        self.limits = limits
        rootIndex = table.reserve()
        objects = [table.add("$null")]
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
        if let error = archiver.error { throw error }
        return archiver.encodedData
    }

    /// The archive. Finishes it if that was not done; empty after an error.
    open var encodedData: Data {
        finishEncoding()
        return result
    }

    /// Ends the archive: nothing can be encoded afterwards.
    open func finishEncoding() {
        guard !isFinished else { return }
        isFinished = true
        guard firstError == nil else { return }
        let top = table.reserve()
        table.fill(top, dictionary: frames[0])
        let objectsIndex = table.reserve()
        table.fill(objectsIndex, array: objects)
        let root: [(key: ObjectTable.Index, value: ObjectTable.Index)] = [
            (table.add("$version"), table.add(Int64(100_000))),
            (table.add("$archiver"), table.add("NSKeyedArchiver")),
            (table.add("$top"), top),
            (table.add("$objects"), objectsIndex),
        ]
        table.fill(rootIndex, dictionary: root)
        result = table.encoded(top: rootIndex)
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

    private var secureCoding: Bool
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
        guard let uid = archive(object, key: key) else { return }
        put(table.add(uid: uid), key: key)
    }

    /// Writes a reference only if the object is in the archive already; the key is left out otherwise.
    open override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        guard let object = object as? NSObject, let uid = identities[ObjectIdentifier(object)] else { return }
        put(table.add(uid: uid), key: key)
    }

    open override func encode(_ value: Bool, forKey key: String) { put(table.add(value), key: key) }
    open override func encode(_ value: Int32, forKey key: String) { put(table.add(Int64(value)), key: key) }
    open override func encode(_ value: Int64, forKey key: String) { put(table.add(value), key: key) }
    open override func encode(_ value: Int, forKey key: String) { put(table.add(Int64(value)), key: key) }
    open override func encode(_ value: Float, forKey key: String) { put(table.add(value), key: key) }
    open override func encode(_ value: Double, forKey key: String) { put(table.add(value), key: key) }

    open override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        put(table.add(Data(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length))), key: key)
    }

    /// Encodes under the keys “$0”, “$1”, …, as messages of Apple's developer tools do.
    open override func encode(_ object: Any?) {
        guard let uid = archive(object, key: "$\(unkeyedCount)") else { return }
        frames[frames.count - 1].append((table.add("$\(unkeyedCount)"), table.add(uid: uid)))
        unkeyedCount += 1
    }

    open override func encodeRootObject(_ rootObject: Any) { encode(rootObject) }

    // MARK: - What the value classes use

    func put(_ value: ObjectTable.Index, key: String) {
        guard isOpen(key) else { return }
        // A key of the user that starts with “$” gets one more, so that it cannot stand for “$class”.
        let escaped = key.hasPrefix("$") ? "$" + key : key
        frames[frames.count - 1].append((table.add(escaped), value))
    }

    func put(_ elements: [Any], key: String) {
        guard isOpen(key) else { return }
        let index = table.reserve()
        var uids: [ObjectTable.Index] = []
        uids.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            guard let uid = archive(element, key: "\(key)[\(position)]") else { return }
            uids.append(table.add(uid: uid))
        }
        table.fill(index, array: uids)
        frames[frames.count - 1].append((table.add(key), index))
    }

    func put(_ data: Data, key: String) { put(table.add(data), key: key) }
    func put(_ string: String, key: String) { put(table.add(string), key: key) }

    func fail(_ error: ArchiveError) {
        if firstError == nil { firstError = error }
    }

    // MARK: - Objects

    /// Puts an object into `$objects`. Nil after an error.
    private func archive(_ object: Any?, key: String) -> UInt32? {
        guard isOpen(key) else { return nil }
        guard let object else { return 0 }
        switch ArchivableValue(object) {
        case .boolean(let value): return scalar(table.add(value))
        case .integer(let value): return scalar(table.add(value))
        case .unsigned(let value): return scalar(table.add(value))
        case .float(let value): return scalar(table.add(value))
        case .real(let value): return scalar(table.add(value))
        case .string(let value): return scalar(table.add(value))
        case .data(let value): return scalar(table.add(value))
        case .object(let object, let value): return archive(object, as: value, key: key)
        case .value(let value): return encode(value, key: key)
        case .unsupported:
            fail(ArchiveError(.unsupportedValue, "\(type(of: object)) has no archived form", keyPath: key))
            return nil
        }
    }

    private func scalar(_ index: ObjectTable.Index) -> UInt32 {
        if let known = scalars[index] { return known }
        let uid = UInt32(objects.count)
        objects.append(index)
        scalars[index] = uid
        return uid
    }

    private func archive(_ object: AnyObject, as value: FoundationValue?, key: String) -> UInt32? {
        let identity = ObjectIdentifier(object)
        if let known = identities[identity] { return known }
        let uid = UInt32(objects.count)
        identities[identity] = uid
        retained.append(object)
        if let value { return encode(value, key: key) }
        guard let coding = object as? any NSCoding else {
            fail(ArchiveError(.unsupportedValue, "\(type(of: object)) does not adopt NSCoding", keyPath: key))
            return nil
        }
        if secureCoding, (object as? any NSSecureCoding).map({ type(of: $0).supportsSecureCoding }) != true {
            fail(ArchiveError(.classNotAllowed, "\(type(of: object)) does not support secure coding", keyPath: key))
            return nil
        }
        return write(classNames: chain(of: type(of: object)), key: key) { coding.encode(with: self) }
    }

    private func encode(_ value: FoundationValue, key: String) -> UInt32? {
        write(classNames: value.valueClass.chain, key: key) { value.encode(with: self) }
    }

    /// Writes one object: its keys and values, then its class.
    private func write(classNames: [String], key: String, body: () -> Void) -> UInt32? {
        guard frames.count <= limits.depth else {
            fail(ArchiveError(.limitExceeded, "nested deeper than \(limits.depth)", keyPath: key))
            return nil
        }
        guard objects.count < limits.objects else {
            fail(ArchiveError(.limitExceeded, "more than \(limits.objects) objects", keyPath: key))
            return nil
        }
        let uid = UInt32(objects.count)
        let index = table.reserve()
        objects.append(index)
        frames.append([])
        body()
        var entries = frames.removeLast()
        guard firstError == nil else {
            if let error = firstError, error.keyPath != key { firstError?.keyPath = key + "." + error.keyPath }
            return nil
        }
        entries.append((table.add("$class"), table.add(uid: classObject(classNames))))
        table.fill(index, dictionary: entries)
        return uid
    }

    private func classObject(_ chain: [String]) -> UInt32 {
        if let known = classes[chain[0]] { return known }
        let uid = UInt32(objects.count)
        let index = table.reserve()
        objects.append(index)
        classes[chain[0]] = uid
        let list = table.reserve()
        table.fill(list, array: chain.map { table.add($0) })
        let entries = [(key: table.add("$classname"), value: table.add(chain[0])), (table.add("$classes"), list)]
        table.fill(index, dictionary: entries)
        return uid
    }

    /// A class's archive names, the most derived first.
    private func chain(of type: AnyClass) -> [String] {
        var chain: [String] = []
        var next: AnyClass? = type
        while let current = next {
            chain.append(names[ObjectIdentifier(current)] ?? ClassNames.shared.archiveName(of: current))
            next = current == NSObject.self ? nil : _getSuperclass(current)
        }
        return chain
    }

    private func isOpen(_ key: String) -> Bool {
        if isFinished { fail(ArchiveError(.unsupportedValue, "encoded after the end of the archive", keyPath: key)) }
        return firstError == nil
    }
}
