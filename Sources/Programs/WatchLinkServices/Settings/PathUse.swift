import Glibc

/// A path that a service uses, and the setting that it comes from.
struct PathUse {
    enum Kind {
        /// A file or a socket that the service makes.
        case made
        /// What is there already, or is another's.
        case other
    }

    /// As in the file, joined by dots.
    let key: String
    /// What lies there, for people.
    let what: String
    let path: String
    let kind: Kind
    /// The path without symbolic links and dots, as far as it exists.
    let resolved: String
    /// What lies there now: device and inode, the same under every name.
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

    /// The longest part that exists, resolved by the system; what follows it cannot hold a link, but dots.
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
