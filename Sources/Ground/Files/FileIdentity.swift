import Glibc

/// Which file stands at a path: another one of the same name has another identity, as long as somebody has this one open.
package struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil if nothing stands there.
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
