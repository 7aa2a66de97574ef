import Files
import Glibc

/// The version of a file: it differs once the file was replaced or written to.
struct FileStamp: Equatable {
    private let identity: FileIdentity?
    private let bytes: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the version of the file at a path; nil if there is none.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = FileIdentity(of: path)
        bytes = Int64(status.st_size)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
