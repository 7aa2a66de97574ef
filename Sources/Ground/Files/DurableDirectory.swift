package import Foundation
import Glibc

/// A directory whose changes are durable when a method returns. A file that is only synchronised itself keeps its
/// content over a power cut, but may lose its name.
package struct DurableDirectory: Sendable, Equatable {
    /// The path, without a trailing slash.
    package let path: String

    package init(_ path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Creates a value for the directory that contains a file.
    package init(of file: String) {
        guard let slash = file.lastIndex(of: "/") else {
            self.init(".")
            return
        }
        self.init(slash == file.startIndex ? "/" : String(file[..<slash]))
    }

    package func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    /// Returns the names of what the directory contains, in no order.
    package func names() throws(SystemError) -> [String] {
        guard let list = opendir(path) else { throw SystemError("read", on: path) }
        defer { closedir(list) }
        var names: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    // MARK: - Changes

    /// Creates the directory with mode 0700. An existing directory is left unchanged.
    ///
    /// - Parameter withParents: True to create missing parent directories, too.
    package func create(withParents: Bool = true) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return try DurableDirectory(of: path).synchronise() }
        guard errno == ENOENT, withParents else { return try accept(errno) }
        let parent = DurableDirectory(of: path)
        guard parent != self else { throw SystemError("create", on: path, code: ENOENT) }
        try parent.create()
        // Another process may have created it meanwhile.
        guard mkdir(path, 0o700) == 0 else { return try accept(errno) }
        try parent.synchronise()
    }

    private func accept(_ code: Int32) throws(SystemError) {
        guard code == EEXIST else { throw SystemError("create", on: path, code: code) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw SystemError("create", on: path, code: ENOTDIR)
        }
    }

    /// Writes a file with mode 0600 atomically: readers see the previous content or all of the new one.
    package func write(_ content: Data, to name: String) throws(SystemError) {
        let fresh = path(of: name + ".new")
        do {
            try Self.write(content, to: fresh)
            try giveToOwner(fresh)
            try move(fresh, to: name)
        } catch {
            // If this fails, the next attempt overwrites the file; the error to report is the first one.
            unlink(fresh)
            throw error
        }
    }

    private static func write(_ content: Data, to path: String) throws(SystemError) {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError("open", on: path) }
        let descriptor = Descriptor(number)
        var written = 0
        while written < content.count {
            let count = content.withUnsafeBytes { bytes in
                retryingInterrupts {
                    Glibc.write(descriptor.number, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                }
            }
            guard count > 0 else { throw SystemError("write to", on: path) }
            written += count
        }
        guard fsync(descriptor.number) == 0 else { throw SystemError("sync", on: path) }
    }

    /// Gives a file created by root to the owner of the directory: a file only root can read would stop a service.
    package func giveToOwner(_ file: String) throws(SystemError) {
        guard geteuid() == 0 else { return }
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("inspect", on: path) }
        guard lchown(file, status.st_uid, status.st_gid) == 0 else { throw SystemError("change owner of", on: file) }
    }

    /// Moves a file on the same disk to a name in this directory, replacing any file there. Its content must be
    /// durable.
    package func move(_ file: String, to name: String) throws(SystemError) {
        guard rename(file, path(of: name)) == 0 else { throw SystemError("rename to \(path(of: name))", on: file) }
        try synchronise()
    }

    /// Adds a hard link in this directory to a file on the same disk.
    package func link(_ file: String, as name: String) throws(SystemError) {
        guard Glibc.link(file, path(of: name)) == 0 else { throw SystemError("link to \(path(of: name))", on: file) }
        try synchronise()
    }

    /// Makes all files created, renamed and removed here durable.
    package func synchronise() throws(SystemError) {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open", on: path) }
        let descriptor = Descriptor(number)
        guard fsync(descriptor.number) == 0 else { throw SystemError("sync", on: path) }
    }
}
