public import Foundation

/// Reads keyed archives from anyone: Foundation's `NSKeyedUnarchiver` without its crashes.
///
/// Only classes that the caller allows are made, whatever the archive names. Each object is decoded once; a cycle is an
/// error. As `NSCoder` cannot throw, the first error is kept in ``error`` and every later call returns nothing.
open class KeyedUnarchiver: NSCoder {
    private enum Progress {
        case untouched
        case open
        case done(NSObject)
    }

    let document: ArchiveDocument
    private let limits: ArchiveLimits
    private var progress: [Progress]
    /// The strings and the data that were read as Swift's own values, by UID: each is copied once, however many refer to it.
    private var bodies: [UInt32: Any] = [:]
    /// The objects that are being decoded, the innermost last. The first is `$top`.
    private var records: [ArchiveDocument.Record]
    private var path: [String] = []
    private var allowed: [[AnyClass]] = []
    private var classes: [String: AnyClass] = [:]
    private var classNames: [UInt32: String] = [:]
    private var firstError: ArchiveError?
    /// The error of a class that refused its archived form, as that class gave it.
    private var refusal: (any Error)?
    private var unkeyedCount = 0
    /// What bodies may still be copied. An honest archive never holds more body than bytes; overlapping bodies do.
    private var budget: Int

    /// - Throws: ``ArchiveError`` if the data is no keyed archive.
    public init(forReadingFrom data: Data, limits: ArchiveLimits = .standard) throws {
        document = try ArchiveDocument(data, limits: limits)
        self.limits = limits
        progress = Array(repeating: .untouched, count: document.count)
        records = [document.top]
        budget = data.count
        super.init()
    }

    // MARK: - Whole archives

    /// The object under “root”, which must be of the class.
    ///
    /// - Throws: ``ArchiveError``, or the error that a class gave to `failWithError(_:)`.
    public class func unarchivedObject<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> DecodedObjectType? {
        try unarchivedObject(ofClasses: [cls], from: data) as? DecodedObjectType
    }

    /// The object under “root”, which must be of one of the classes, as must all that it holds.
    public class func unarchivedObject(ofClasses classes: [AnyClass], from data: Data) throws -> Any? {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        guard unarchiver.containsValue(forKey: KeyedArchiver.rootKey) else {
            throw ArchiveError(.missingValue, "“$top” has no “\(KeyedArchiver.rootKey)”")
        }
        let object = unarchiver.decodeObject(of: classes, forKey: KeyedArchiver.rootKey)
        if let error = unarchiver.error { throw error }
        return object
    }

    /// Does nothing: an archive needs no end of reading. Here so that code for Foundation's class compiles.
    open func finishDecoding() {}

    // MARK: - Classes

    /// Makes objects of a class for a name, in this archive only. The class must still be allowed.
    open func setClass(_ cls: AnyClass?, forClassName codedName: String) { classes[codedName] = cls }
    open func `class`(forClassName codedName: String) -> AnyClass? { classes[codedName] }

    /// Makes objects of a class for a name, in every archive of this process. The class must still be allowed.
    open class func setClass(_ cls: AnyClass?, forClassName codedName: String) {
        ClassNames.shared.setClass(cls, forArchiveName: codedName)
    }
    open class func `class`(forClassName codedName: String) -> AnyClass? {
        ClassNames.shared.cls(setForArchiveName: codedName)
    }

    // MARK: - NSCoder

    /// Always true: a class that is not allowed is never made.
    open override var requiresSecureCoding: Bool {
        get { true }
        set {}
    }
    open override var allowsKeyedCoding: Bool { true }
    open override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    open override var allowedClasses: [AnyClass]? { allowed.last }
    open override var error: (any Error)? { refusal ?? firstError }

    open override func failWithError(_ error: any Error) {
        if firstError == nil { refusal = error }
        fail(error as? ArchiveError ?? ArchiveError(.initialiserFailed, "\(error)"))
    }

    open override func containsValue(forKey key: String) -> Bool {
        attempt { () throws(ArchiveError) in try document.find(Self.escaped(key), in: record) != nil } ?? false
    }

    open override func decodeObject<DecodedObjectType: NSObject & NSCoding>(
        of cls: DecodedObjectType.Type, forKey key: String
    ) -> DecodedObjectType? {
        decodeObject(of: [cls], forKey: key) as? DecodedObjectType
    }

    open override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        decode(of: classes ?? [], forKey: Self.escaped(key))
    }

    /// Plain values only: a class of one's own needs `decodeObject(of:forKey:)`, which names it.
    open override func decodeObject(forKey key: String) -> Any? {
        decodeObject(of: Self.plainClasses, forKey: key)
    }

    open override func decodePropertyList(forKey key: String) -> Any? {
        decodeObject(of: Self.plainClasses, forKey: key)
    }

    /// The next of “$0”, “$1”, …
    open override func decodeObject() -> Any? {
        defer { unkeyedCount += 1 }
        return decode(of: Self.plainClasses, forKey: "$\(unkeyedCount)")
    }

    open override func decodeBool(forKey key: String) -> Bool {
        switch inline(key) {
        case .boolean(let value): value
        case .integer(let value) where value == 0 || value == 1: value == 1
        case let other: mismatch(other, "a boolean", key: key) ?? false
        }
    }

    open override func decodeInt64(forKey key: String) -> Int64 {
        switch inline(key) {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        case let other: mismatch(other, "an integer", key: key) ?? 0
        }
    }

    open override func decodeInteger(forKey key: String) -> Int { Int(decodeInt64(forKey: key)) }

    open override func decodeInt32(forKey key: String) -> Int32 {
        let value = decodeInt64(forKey: key)
        guard let narrow = Int32(exactly: value) else {
            fail(ArchiveError(.typeMismatch, "\(value) does not fit into 32 bits", keyPath: keyPath(key)))
            return 0
        }
        return narrow
    }

    open override func decodeCInt(forKey key: String) -> Int32 { decodeInt32(forKey: key) }

    open override func decodeDouble(forKey key: String) -> Double {
        switch inline(key) {
        case .real(let value): value
        case .float(let value): Double(value)
        case .integer(let value): Double(value)
        case let other: mismatch(other, "a number", key: key) ?? 0
        }
    }

    open override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }

    open override func withDecodedUnsafeBufferPointer<ResultType>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType
    ) rethrows -> ResultType {
        guard let bytes = bytes(forKey: key) else { return try body(nil) }
        return try bytes.withUnsafeBufferPointer(body)
    }

    open override func withDecodedUnsafeBytes<ResultType>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> ResultType
    ) rethrows -> ResultType {
        guard let bytes = bytes(forKey: key) else { return try body(nil) }
        return try bytes.withUnsafeBytes(body)
    }

    // MARK: - What the value classes use

    /// Decodes the objects that a list under a key refers to.
    func objects(
        _ key: String, in record: ArchiveDocument.Record, of classes: [AnyClass]
    ) throws(ArchiveError) -> [NSObject] {
        guard let index = try document.find(key, in: record) else {
            throw ArchiveError(.missingValue, "no “\(key)”", offset: record.offset)
        }
        guard case .array(let run) = try document.list.object(at: index) else {
            throw ArchiveError(.typeMismatch, "“\(key)” is no array", offset: record.offset)
        }
        try spend(run.count, record)
        var elements: [NSObject] = []
        elements.reserveCapacity(run.count)
        for position in 0..<run.count {
            path.append("\(key)[\(position)]")
            let place = try document.list.reference(position, in: run)
            guard let element = try object(at: place, of: classes, from: record) else {
                throw ArchiveError(.corruptObject, "nil inside a collection", offset: record.offset)
            }
            path.removeLast()
            elements.append(element)
        }
        return elements
    }

    /// A Swift value under a key of the current object, made from its archived form without an object in between. Nil if
    /// the key is missing or refers to nothing; an error if `make` returns nil.
    func swiftValue<Value>(
        forKey key: String, wanted: String,
        make: (ArchiveDocument, BinaryPropertyList.Object, _ place: Int) throws(ArchiveError) -> Value?
    ) -> Value? {
        attempt { () throws(ArchiveError) -> Value? in
            guard let index = try document.find(Self.escaped(key), in: record) else { return nil }
            guard case .uid(let uid) = try document.list.object(at: index) else {
                throw ArchiveError(
                    .typeMismatch, "a plain value where an object was expected", offset: record.offset,
                    keyPath: keyPath(key))
            }
            guard uid != 0 else { return nil }
            if let known = bodies[uid] as? Value { return known }
            let place = try document.index(of: uid, from: record)
            let object = try document.list.object(at: place)
            let hasBody: Bool
            switch object {
            case .asciiString(let range), .utf16String(let range), .data(let range):
                try spend(range.count, record)
                hasBody = true
            case .null, .boolean, .integer, .unsigned, .float, .real, .date, .uid, .array, .set, .dictionary:
                hasBody = false
            }
            guard let value = try make(document, object, place) else {
                throw ArchiveError(.typeMismatch, "not \(wanted)", offset: record.offset, keyPath: keyPath(key))
            }
            if hasBody { bodies[uid] = value }
            return value
        } ?? nil
    }

    /// The object under a key of a record; nil if the key is missing or refers to nothing.
    func object(
        _ key: String, in record: ArchiveDocument.Record, of classes: [AnyClass]
    ) throws(ArchiveError) -> NSObject? {
        guard let index = try document.find(key, in: record) else { return nil }
        return try object(at: index, of: classes, from: record)
    }

    /// The value that stands directly under a key of a record.
    func plain(_ key: String, in record: ArchiveDocument.Record) throws(ArchiveError) -> BinaryPropertyList.Object? {
        guard let index = try document.find(key, in: record) else { return nil }
        return try document.list.object(at: index)
    }

    func copy(_ range: Range<Int>, _ record: ArchiveDocument.Record) throws(ArchiveError) -> Data {
        try spend(range.count, record)
        return Data(document.list.bytes[range])
    }

    func text(_ object: BinaryPropertyList.Object) throws(ArchiveError) -> String? { try document.list.string(object) }

    // MARK: - Objects

    private var record: ArchiveDocument.Record { records[records.count - 1] }

    private static let plainClasses: [AnyClass] = ValueClass.allCases.map(\.foundationClass) + [NSNumber.self]

    private func decode(of classes: [AnyClass], forKey key: String) -> Any? {
        guard firstError == nil else { return nil }
        path.append(key)
        do {
            let object = try object(key, in: record, of: classes)
            path.removeLast()
            return object
        } catch {
            fail(error)
            path.removeLast()
            return nil
        }
    }

    private func object(
        at index: Int, of classes: [AnyClass], from record: ArchiveDocument.Record
    ) throws(ArchiveError) -> NSObject? {
        guard case .uid(let uid) = try document.list.object(at: index) else {
            throw ArchiveError(.typeMismatch, "a plain value where an object was expected", offset: record.offset)
        }
        guard uid != 0 else { return nil }
        let place = try document.index(of: uid, from: record)
        switch progress[Int(uid)] {
        case .done(let object):
            guard classes.contains(where: { object.isKind(of: $0) }) else { throw notAllowed(type(of: object), place) }
            return object
        case .open: throw ArchiveError(.cycle, "object \(uid) contains itself", offset: record.offset)
        case .untouched: break
        }
        guard records.count <= limits.depth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(limits.depth)", offset: record.offset)
        }
        progress[Int(uid)] = .open
        let object = try make(try document.list.object(at: place), at: place, of: classes)
        progress[Int(uid)] = .done(object)
        return object
    }

    private func make(
        _ plain: BinaryPropertyList.Object, at place: Int, of classes: [AnyClass]
    ) throws(ArchiveError) -> NSObject {
        let object: NSObject
        switch plain {
        case .dictionary: return try make(try document.record(at: place), of: classes)
        case .boolean(let value): object = NSNumber(value: value)
        case .integer(let value): object = NSNumber(value: value)
        case .unsigned(let value): object = NSNumber(value: value)
        case .float(let value): object = NSNumber(value: value)
        case .real(let value): object = NSNumber(value: value)
        case .asciiString(let range), .utf16String(let range):
            try spend(range.count, record)
            object = NSString(string: try document.list.string(plain) ?? "")
        case .data(let range): object = NSData(data: try copy(range, record))
        case .null, .date, .uid, .array, .set:
            throw ArchiveError(.corruptObject, "no object of an archive", offset: try document.list.offset(of: place))
        }
        guard classes.contains(where: { object.isKind(of: $0) }) else { throw notAllowed(type(of: object), place) }
        return object
    }

    private func make(_ record: ArchiveDocument.Record, of classes: [AnyClass]) throws(ArchiveError) -> NSObject {
        let name = try className(of: record)
        if let valueClass = ValueClass(rawValue: name), registered(name) == nil {
            guard classes.contains(where: { Self.isClass(valueClass.foundationClass, $0) }) else {
                throw ArchiveError(.classNotAllowed, "“\(name)”", offset: record.offset)
            }
            records.append(record)
            let object = try value(of: valueClass, from: record, allowing: classes)
            records.removeLast()
            return object
        }
        let type: AnyClass = try resolve(name, among: classes, record)
        guard let coding = type as? any (NSObject & NSCoding).Type else {
            throw ArchiveError(.unknownClass, "“\(name)” does not adopt NSCoding", offset: record.offset)
        }
        records.append(record)
        allowed.append(classes)
        let object = coding.init(coder: self)
        allowed.removeLast()
        records.removeLast()
        if let firstError { throw firstError }
        guard let object else {
            throw ArchiveError(.initialiserFailed, "“\(name)” refused its archived form", offset: record.offset)
        }
        return object
    }

    /// Objects of one class share its description: its name is read once.
    private func className(of record: ArchiveDocument.Record) throws(ArchiveError) -> String {
        let uid = try document.classIdentifier(of: record)
        if let known = classNames[uid] { return known }
        let name = try document.className(uid, from: record)
        classNames[uid] = name
        return name
    }

    private func registered(_ name: String) -> AnyClass? {
        classes[name] ?? ClassNames.shared.cls(setForArchiveName: name)
    }

    /// The class for a name: one that was set for it, else one of the allowed classes that is archived under it.
    private func resolve(
        _ name: String, among allowed: [AnyClass], _ record: ArchiveDocument.Record
    ) throws(ArchiveError) -> AnyClass {
        if let type = registered(name) {
            guard allowed.contains(where: { Self.isClass(type, $0) }) else {
                throw ArchiveError(.classNotAllowed, "“\(name)”", offset: record.offset)
            }
            return type
        }
        for type in allowed where ClassNames.shared.archiveName(of: type) == name {
            // Foundation's own classes trap and loop on hostile archives: only those forms that this codec reads itself are read.
            guard name.contains(".") || type is any ArchiveNaming.Type else {
                throw ArchiveError(.unknownClass, "“\(name)” is not read by this codec", offset: record.offset)
            }
            return type
        }
        throw ArchiveError(.classNotAllowed, "“\(name)”", offset: record.offset)
    }

    private static func isClass(_ cls: AnyClass, _ ancestor: AnyClass) -> Bool {
        (cls as? NSObject.Type)?.isSubclass(of: ancestor) ?? (cls == ancestor)
    }

    private func notAllowed(_ type: AnyClass, _ place: Int) -> ArchiveError {
        ArchiveError(
            .classNotAllowed, "“\(type)”",
            offset: attempt { () throws(ArchiveError) in try document.list.offset(of: place) })
    }

    // MARK: - Plain values

    private static func escaped(_ key: String) -> String { key.hasPrefix("$") ? "$" + key : key }

    /// The plain value under a key of the current object; nil if the key is missing.
    private func inline(_ key: String) -> BinaryPropertyList.Object? {
        attempt { () throws(ArchiveError) in try plain(Self.escaped(key), in: record) } ?? nil
    }

    private func bytes(forKey key: String) -> [UInt8]? {
        guard case .data(let range) = inline(key) else { return nil }
        return Array(document.list.bytes[range])
    }

    /// A missing key reads as nothing, as Foundation has it; a value of another type is an error.
    private func mismatch<Value>(_ object: BinaryPropertyList.Object?, _ wanted: String, key: String) -> Value? {
        guard object != nil else { return nil }
        fail(ArchiveError(.typeMismatch, "not \(wanted)", offset: record.offset, keyPath: keyPath(key)))
        return nil
    }

    private func keyPath(_ key: String) -> String { (path + [key]).joined(separator: ".") }

    func spend(_ amount: Int, _ record: ArchiveDocument.Record) throws(ArchiveError) {
        budget -= amount
        guard budget >= 0 else {
            throw ArchiveError(.limitExceeded, "objects overlap: their bodies exceed the file", offset: record.offset)
        }
    }

    private func attempt<Value>(_ body: () throws(ArchiveError) -> Value) -> Value? {
        guard firstError == nil else { return nil }
        do {
            return try body()
        } catch {
            fail(error)
            return nil
        }
    }

    private func fail(_ error: ArchiveError) {
        guard firstError == nil else { return }
        firstError = error
        if error.keyPath.isEmpty { firstError?.keyPath = path.joined(separator: ".") }
    }
}
