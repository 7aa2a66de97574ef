package import Foundation
import Glibc

/// A directory whose entries are on the disk when a method returns. A file that is synchronised alone keeps its content over a
/// power cut, and may lose its name.
package struct DurableDirectory: Sendable, Equatable {
    /// Without a slash at its end.
    package let path: String

    package init(_ path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The directory that holds a file.
    package init(of file: String) {
        guard let slash = file.lastIndex(of: "/") else {
            self.init(".")
            return
        }
        self.init(slash == file.startIndex ? "/" : String(file[..<slash]))
    }

    package func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    // MARK: - Changes

    /// Makes the directory, for its owner alone. One that is there stays as it is.
    ///
    /// - Parameter withParents: Whether those above it that are missing are made, too.
    package func create(withParents: Bool = true) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return try DurableDirectory(of: path).synchronise() }
        guard errno == ENOENT, withParents else { return try accept(errno) }
        let parent = DurableDirectory(of: path)
        guard parent != self else { throw SystemError("make", on: path, code: ENOENT) }
        try parent.create()
        // Somebody else may have made it meanwhile.
        guard mkdir(path, 0o700) == 0 else { return try accept(errno) }
        try parent.synchronise()
    }

    private func accept(_ code: Int32) throws(SystemError) {
        guard code == EEXIST else { throw SystemError("make", on: path, code: code) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw SystemError("make", on: path, code: ENOTDIR)
        }
    }

    /// Puts a file into place that is whole whenever somebody reads it, for its owner alone.
    package func write(_ content: Data, to name: String) throws(SystemError) {
        let fresh = path(of: name + ".new")
        do {
            try Self.write(content, to: fresh)
            try giveToOwner(fresh)
            try move(fresh, to: name)
        } catch {
            // What cannot be removed either is written over by the next try; what counts is why this one failed.
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

    /// Root works for the one whose directory it is: a file that only root can read would stop a service.
    package func giveToOwner(_ file: String) throws(SystemError) {
        guard geteuid() == 0 else { return }
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("look at", on: path) }
        guard lchown(file, status.st_uid, status.st_gid) == 0 else { throw SystemError("give away", on: file) }
    }

    /// Gives a file on the same disk a name here, in place of what has it. Its content must be on the disk already.
    package func move(_ file: String, to name: String) throws(SystemError) {
        guard rename(file, path(of: name)) == 0 else { throw SystemError("rename to \(path(of: name))", on: file) }
        try synchronise()
    }

    /// Gives a file on the same disk a second name here.
    package func link(_ file: String, as name: String) throws(SystemError) {
        guard Glibc.link(file, path(of: name)) == 0 else { throw SystemError("link to \(path(of: name))", on: file) }
        try synchronise()
    }

    /// What was made, renamed and removed here until now is on the disk when this returns.
    package func synchronise() throws(SystemError) {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open", on: path) }
        let descriptor = Descriptor(number)
        guard fsync(descriptor.number) == 0 else { throw SystemError("sync", on: path) }
    }
}
