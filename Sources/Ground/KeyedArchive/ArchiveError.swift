/// An error of reading an archive from bytes, or of writing values as one.
public struct ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A kind of failure. A struct, so that new kinds do not break callers that switch over the known ones.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The kind of failure in words.
        public let rawValue: String
        /// Creates a code from its words.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not a binary property list, or end too early.
        public static let notPropertyList = Code(rawValue: "not a binary property list")
        /// The trailer of the file contradicts its contents.
        public static let corruptTrailer = Code(rawValue: "corrupt trailer")
        /// An object's bytes contradict their marker or lie outside the object area.
        public static let corruptObject = Code(rawValue: "corrupt object")
        /// The bytes are a well-formed property list, but not a keyed archive.
        public static let notKeyedArchive = Code(rawValue: "not a keyed archive")
        /// An object contains itself.
        public static let cycle = Code(rawValue: "cyclic object")
        /// A dictionary contains a key twice.
        public static let duplicateKey = Code(rawValue: "duplicate key")
        /// One of ``ArchiveLimits`` is exceeded.
        public static let limitExceeded = Code(rawValue: "limit exceeded")
        /// The archive names a class that is not registered.
        public static let unknownClass = Code(rawValue: "unknown class")
        /// The archive names a class that the caller did not allow here.
        public static let classNotAllowed = Code(rawValue: "class not allowed")
        /// A value has a different type from the one requested.
        public static let typeMismatch = Code(rawValue: "type mismatch")
        /// A required key is missing.
        public static let missingValue = Code(rawValue: "missing value")
        /// A class refused its own archived form: `init(coder:)` returned nil.
        public static let initialiserFailed = Code(rawValue: "initialiser failed")
        /// A value has no archived form.
        public static let unsupportedValue = Code(rawValue: "unsupported value")
    }

    /// The kind of failure.
    public let code: Code
    /// A description of the failure. Keys and names of classes from the archive may appear in it, as may the text of an
    /// error that the coded class threw; values never do.
    public let detail: String
    /// The byte offset of the failure; nil if it has no single position.
    public let offset: Int?
    /// The kind of the invalid object: “array”, “integer”, or a class name of a keyed archive; nil if no object is
    /// concerned.
    public let kind: String?
    /// The key path from the top of the archive to the failure, joined by dots; empty at the top.
    public private(set) var keyPath: String

    package init(_ code: Code, _ detail: String, kind: String? = nil, offset: Int? = nil, keyPath: String = "") {
        self.code = code
        self.detail = detail
        self.kind = kind
        self.offset = offset
        self.keyPath = keyPath
    }

    /// Returns the same error with a key prepended to its key path.
    func under(_ key: String) -> ArchiveError {
        var error = self
        // An index follows its list's key without a dot.
        let joint = keyPath.isEmpty || keyPath.hasPrefix("[") ? "" : "."
        error.keyPath = key + joint + keyPath
        return error
    }

    /// The code, kind, offset, key path and detail, in one line.
    public var description: String {
        let what = kind.map { " (\($0))" } ?? ""
        let place = offset.map { " at byte \($0)" } ?? ""
        let path = keyPath.isEmpty ? "" : " under “\(keyPath)”"
        return "\(code.rawValue)\(what)\(place)\(path): \(detail)"
    }
}
