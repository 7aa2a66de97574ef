/// The identity and state of a queued file, enough to notice a change or a replacement.
package struct FileStamp: Equatable, Sendable {
    package let path: String
    package let size: Int64
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let inode: Int64

    package init(path: String, size: Int64, modified: Int64, inode: Int64) {
        self.path = path
        self.size = size
        self.modified = modified
        self.inode = inode
    }
}
