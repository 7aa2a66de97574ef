public import Foundation

/// A replacement for Foundation's `NSKeyedUnarchiver` that reads untrusted archives without crashing.
///
/// It creates only objects of classes that the caller allows, whatever the archive names; without secure coding also
/// those for which the program itself set a name. Each object is decoded once; a cycle is an error. As `NSCoder` cannot
/// throw, the first error is stored in ``error`` and every later call returns nil or zero.
open class KeyedUnarchiver: NSCoder {
    let decoder: ObjectDecoder
    private var unkeyedCount = 0
    private var isSecure = true

    /// The delegate, which may supply unknown classes and replace decoded objects.
    open weak var delegate: (any KeyedUnarchiverDelegate)? {
        didSet { decoder.hasDelegate = delegate != nil }
    }

    /// True to decode objects of classes that this process does not know, or that are not allowed, as
    /// ``ArchivedObject`` with their class names and values. False by default.
    open var decodesUnknownClasses: Bool {
        get { decoder.decodesUnknownClasses }
        set { decoder.decodesUnknownClasses = newValue }
    }

    /// Creates an unarchiver that reads from a copy of the data.
    ///
    /// - Throws: ``ArchiveError`` if the data is not a keyed archive.
    public init(forReadingFrom data: Data, limits: ArchiveLimits = .standard) throws {
        decoder = try ObjectDecoder(copying: data, limits: limits)
        super.init()
    }

    init(_ decoder: ObjectDecoder) {
        self.decoder = decoder
        super.init()
    }

    // MARK: - Whole archives

    /// Decodes the object under “root”, which must be of the class.
    ///
    /// - Throws: ``ArchiveError``, or an error that a class passed to `failWithError(_:)`.
    public class func unarchivedObject<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> DecodedObjectType? {
        guard let object = try object(of: [cls], from: data) else { return nil }
        // Nearly always it is the class itself: a cast checks each ancestor.
        return type(of: object) == cls ? unsafeDowncast(object, to: cls) : object as? DecodedObjectType
    }

    /// Decodes the object under “root”, which must be of the class, under its own name or the given one.
    package class func unarchivedObject<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, named name: String, from data: Data
    ) throws -> DecodedObjectType? {
        try object(of: [cls], named: [name: cls], from: data) as? DecodedObjectType
    }

    /// Decodes the object under “root”, which must be of one of the classes, as must all objects within it.
    ///
    /// - Throws: ``ArchiveError``, or an error that a class passed to `failWithError(_:)`.
    public class func unarchivedObject(ofClasses classes: [AnyClass], from data: Data) throws -> Any? {
        try object(of: classes, from: data)
    }

    /// - Parameters:
    ///   - classes: The allowed classes; nil for plain values and all classes that were set for a name.
    ///   - names: The classes for names in this archive.
    class func object(
        of classes: [AnyClass]?, named names: [String: AnyClass] = [:], from data: Data
    ) throws -> NSObject? {
        try data.withUnsafeBytes { buffer in
            let decoder = try ObjectDecoder(reading: buffer, limits: .standard)
            // A coder that outlives this call must not read the bytes.
            defer { decoder.close() }
            let unarchiver = KeyedUnarchiver(decoder)
            for entry in names { unarchiver.setClass(entry.value, forClassName: entry.key) }
            if classes == nil { unarchiver.requiresSecureCoding = false }
            let object = decoder.object(
                of: classes ?? unarchiver.unnamedClasses, forKey: KeyedArchiver.rootKey, for: unarchiver)
            if let error = unarchiver.error { throw error }
            guard object != nil || decoder.contains(KeyedArchiver.rootKey) else { throw decoder.noRoot }
            return object
        }
    }

    /// Decodes an array under “root” whose elements must all be of the class.
    ///
    /// - Throws: ``ArchiveError``, or an error that a class passed to `failWithError(_:)`.
    public class func unarchivedArrayOfObjects<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> [DecodedObjectType]? {
        try data.withUnsafeBytes { buffer in
            let decoder = try ObjectDecoder(reading: buffer, limits: .standard)
            defer { decoder.close() }
            let unarchiver = KeyedUnarchiver(decoder)
            let objects = decoder.objects(of: cls, forKey: KeyedArchiver.rootKey, for: unarchiver)
            if let error = unarchiver.error { throw error }
            guard objects != nil || decoder.contains(KeyedArchiver.rootKey) else { throw decoder.noRoot }
            return objects?.known(as: cls)
        }
    }

    /// Finishes reading. This only notifies the delegate.
    open func finishDecoding() {
        delegate?.unarchiverWillFinish(self)
        delegate?.unarchiverDidFinish(self)
    }

    // MARK: - Classes

    /// Sets the class of objects with a name, in this archive only; nil removes it. The class must still be allowed.
    open func setClass(_ cls: AnyClass?, forClassName codedName: String) {
        decoder.classes.setClass(cls, forName: codedName)
    }
    /// Returns the class that was set for a name in this archive; nil if none was.
    open func `class`(forClassName codedName: String) -> AnyClass? { decoder.classes.cls(setForName: codedName) }

    /// Sets the class of objects with a name, in every archive of this process; nil removes it. The class must still be
    /// allowed.
    open class func setClass(_ cls: AnyClass?, forClassName codedName: String) {
        ClassNames.shared.setClass(cls, forArchiveName: codedName)
    }
    /// Returns the class that was set for a name in this process; nil if none was.
    open class func `class`(forClassName codedName: String) -> AnyClass? {
        ClassNames.shared.cls(setForArchiveName: codedName)
    }

    // MARK: - NSCoder

    /// True, the default, to restrict decoding without a class to plain values and the classes allowed for the
    /// enclosing object. If false, classes for which the program set a name are also allowed, but never any others.
    open override var requiresSecureCoding: Bool {
        get { isSecure }
        set { isSecure = newValue }
    }
    /// True: values are decoded by key.
    open override var allowsKeyedCoding: Bool { true }
    /// Always `setErrorAndReturn`: an error is stored in ``error``.
    open override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    /// The classes that the caller allowed for the object that is being decoded; empty at the top.
    open override var allowedClasses: [AnyClass]? { decoder.allowedClasses }
    /// The first error, as passed by the class if a class refused its archived form; nil if there was none.
    open override var error: (any Error)? { decoder.refusal ?? decoder.firstError }

    /// Records an error, unless there was one before.
    open override func failWithError(_ error: any Error) { decoder.refuse(error) }

    /// Returns true if the key exists, even if its value is nil.
    open override func containsValue(forKey key: String) -> Bool { decoder.contains(key) }

    /// Decodes the object under a key, which must be of the class; nil if the key is missing, and after an error.
    open override func decodeObject<DecodedObjectType: NSObject & NSCoding>(
        of cls: DecodedObjectType.Type, forKey key: String
    ) -> DecodedObjectType? {
        decodeObject(of: [cls], forKey: key) as? DecodedObjectType
    }

    /// Decodes the object under a key, which must be of one of the classes, as must all objects within it; nil if the
    /// key is missing, and after an error.
    open override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        decoder.object(of: classes ?? [], forKey: ObjectDecoder.escaped(key), for: self)
    }

    /// Decodes a plain value, or an object of a class that the caller allowed for the enclosing object. To name a
    /// class, use `decodeObject(of:forKey:)`.
    open override func decodeObject(forKey key: String) -> Any? {
        decodeObject(of: unnamedClasses, forKey: key)
    }

    /// Decodes an object of the Foundation classes that this codec reads; nil if the key is missing, and after an
    /// error.
    open override func decodePropertyList(forKey key: String) -> Any? {
        decodeObject(of: Self.plainClasses, forKey: key)
    }

    /// Decodes the next of “$0”, “$1”, …
    open override func decodeObject() -> Any? {
        defer { unkeyedCount += 1 }
        return decoder.object(of: unnamedClasses, forKey: "$\(unkeyedCount)", for: self)
    }

    /// The classes that are allowed where none is named.
    private var unnamedClasses: [AnyClass] {
        let listed = decoder.allowedClasses + (isSecure ? [] : decoder.classes.registered)
        // Within such an object the same classes are allowed again.
        return Self.plainClasses + listed.filter { !Self.plainIdentities.contains(ObjectIdentifier($0)) }
    }

    /// Decodes a Boolean value, 0 or 1; false if the key is missing, and with an error for any other value.
    open override func decodeBool(forKey key: String) -> Bool {
        switch decoder.plain(key) {
        case .boolean(let value): value
        case .integer(let value) where value == 0 || value == 1: value == 1
        case let other: decoder.mismatch(other, "a boolean", key: key) ?? false
        }
    }

    /// Decodes an integer or a Boolean value; zero if the key is missing, and with an error for any other value.
    open override func decodeInt64(forKey key: String) -> Int64 {
        switch decoder.plain(key) {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        case let other: decoder.mismatch(other, "an integer", key: key) ?? 0
        }
    }

    /// Decodes an integer like `decodeInt64(forKey:)`.
    open override func decodeInteger(forKey key: String) -> Int { Int(decodeInt64(forKey: key)) }

    /// Decodes an integer like `decodeInt64(forKey:)`; zero with an error for a value that needs more than 32 bits.
    open override func decodeInt32(forKey key: String) -> Int32 {
        let value = decodeInt64(forKey: key)
        guard let narrow = Int32(exactly: value) else {
            decoder.fail(ArchiveError(.typeMismatch, "does not fit into 32 bits", kind: "integer"), key: key)
            return 0
        }
        return narrow
    }

    /// Decodes an integer like `decodeInt32(forKey:)`.
    open override func decodeCInt(forKey key: String) -> Int32 { decodeInt32(forKey: key) }

    /// Decodes a number of any kind; zero if the key is missing, and with an error for any other value.
    open override func decodeDouble(forKey key: String) -> Double {
        switch decoder.plain(key) {
        case .real(let value): value
        case .float(let value): Double(value)
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case let other: decoder.mismatch(other, "a number", key: key) ?? 0
        }
    }

    /// Decodes a number of any kind, rounded if necessary; zero if the key is missing, and with an error for any other
    /// value.
    open override func decodeFloat(forKey key: String) -> Float {
        switch decoder.plain(key) {
        case .float(let value): value
        case .real, .integer, .unsigned, nil, .null, .boolean, .date, .data, .asciiString, .utf16String, .uid, .array,
            .set, .dictionary:
            Float(decodeDouble(forKey: key))
        }
    }

    /// Calls a closure with the data under a key, in place; with nil if the key is missing, and after an error.
    open override func withDecodedUnsafeBufferPointer<ResultType>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType
    ) rethrows -> ResultType {
        guard let bytes = decoder.bytes(forKey: key) else { return try body(nil) }
        return try bytes.withMemoryRebound(to: UInt8.self) { try body($0) }
    }

    /// Calls a closure with the data under a key, in place; with nil if the key is missing, and after an error.
    open override func withDecodedUnsafeBytes<ResultType>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> ResultType
    ) rethrows -> ResultType {
        try body(decoder.bytes(forKey: key))
    }

    private static let plainClasses: [AnyClass] = ValueClass.allCases.map(\.foundationClass) + [NSNumber.self]
    private static let plainIdentities = Set(plainClasses.map { ObjectIdentifier($0) })
}
