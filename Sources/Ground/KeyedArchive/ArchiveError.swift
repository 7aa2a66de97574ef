/// Why bytes could not be read as an archive, or values could not be written as one.
public struct ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of failure. A struct, so that new kinds do not break callers that switch over the known ones.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not a binary property list, or end too early.
        public static let notPropertyList = Code(rawValue: "not a binary property list")
        /// The trailer at the end of the file contradicts the file.
        public static let corruptTrailer = Code(rawValue: "corrupt trailer")
        /// An object's bytes contradict their marker or lie outside of the object area.
        public static let corruptObject = Code(rawValue: "corrupt object")
        /// A well-formed property list that is no keyed archive.
        public static let notKeyedArchive = Code(rawValue: "not a keyed archive")
        /// An object contains itself.
        public static let cycle = Code(rawValue: "cyclic object")
        /// A dictionary holds one key twice.
        public static let duplicateKey = Code(rawValue: "duplicate key")
        /// One of ``ArchiveLimits`` is exceeded.
        public static let limitExceeded = Code(rawValue: "limit exceeded")
        /// The archive names a class that nobody registered.
        public static let unknownClass = Code(rawValue: "unknown class")
        /// The archive names a class that the caller did not allow here.
        public static let classNotAllowed = Code(rawValue: "class not allowed")
        /// A value has another type than the one asked for.
        public static let typeMismatch = Code(rawValue: "type mismatch")
        /// A key that is needed is missing.
        public static let missingValue = Code(rawValue: "missing value")
        /// A class refused its own archived form: `init(coder:)` returned nil.
        public static let initialiserFailed = Code(rawValue: "initialiser failed")
        /// A value that has no archived form.
        public static let unsupportedValue = Code(rawValue: "unsupported value")
    }

    public let code: Code
    /// What exactly is wrong, in words.
    public let detail: String
    /// Where in the bytes, from their start; nil where no single place is at fault.
    public let offset: Int?
    /// The kind of object at fault: “array”, “integer”, or the name of a class in a keyed archive; nil where it is none.
    public let kind: String?
    /// The keys that lead from the top of the archive to the place, joined by dots; empty at the top.
    public private(set) var keyPath: String

    package init(_ code: Code, _ detail: String, kind: String? = nil, offset: Int? = nil, keyPath: String = "") {
        self.code = code
        self.detail = detail
        self.kind = kind
        self.offset = offset
        self.keyPath = keyPath
    }

    /// The same error, seen from one level higher.
    func under(_ key: String) -> ArchiveError {
        var error = self
        // Positions in a list follow its key without a dot, as one writes them.
        let joint = keyPath.isEmpty || keyPath.hasPrefix("[") ? "" : "."
        error.keyPath = key + joint + keyPath
        return error
    }

    public var description: String {
        let what = kind.map { " (\($0))" } ?? ""
        let place = offset.map { " at byte \($0)" } ?? ""
        let path = keyPath.isEmpty ? "" : " under “\(keyPath)”"
        return "\(code.rawValue)\(what)\(place)\(path): \(detail)"
    }
}
