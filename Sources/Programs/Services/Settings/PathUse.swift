import Glibc

/// A path that a service uses, with the setting it comes from.
struct PathUse {
    enum Kind {
        /// A file or socket that the service creates.
        case made
        /// An existing file, or one that belongs to something else.
        case other
    }

    /// The setting's keys, joined by dots.
    let key: String
    /// A description of the file, for messages.
    let what: String
    let path: String
    let kind: Kind
    /// The path without symbolic links and dots, as far as it exists.
    let resolved: String
    /// The device and inode of the existing file, the same under every name; empty if there is none.
    private let identity: [UInt64]

    init(_ key: String, _ what: String, _ path: String, _ kind: Kind = .made) {
        (self.key, self.what, self.path, self.kind) = (key, what, path, kind)
        resolved = Self.resolve(path)
        var status = stat()
        identity = stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : []
    }

    func isSame(as other: PathUse) -> Bool {
        resolved == other.resolved || (!identity.isEmpty && identity == other.identity)
    }

    var folder: String { Self.folder(of: resolved) }

    static func folder(of path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Resolves the longest existing part of a path; the rest cannot contain links, but may contain dots.
    static func resolve(_ path: String) -> String {
        if let whole = realpath(path, nil) {
            defer { free(whole) }
            return String(cString: whole)
        }
        guard let last = path.split(separator: "/").last else { return "/" }
        let parent = resolve(folder(of: path))
        switch last {
        case ".": return parent
        case "..": return folder(of: parent)
        default: return parent == "/" ? "/\(last)" : "\(parent)/\(last)"
        }
    }
}
