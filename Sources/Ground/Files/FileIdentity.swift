import Glibc

/// The identity (device and inode) of a file, which no other file has as long as this one is open somewhere.
package struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    /// Creates the identity of the file at a path; nil if there is no file. Symbolic links are not followed.
    package init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init?(of descriptor: borrowing Descriptor) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
