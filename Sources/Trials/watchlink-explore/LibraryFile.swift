import CLinux
import Foundation

/// The library that programs preload, from within this program: a file in memory, which is there as long as this process is.
struct LibraryFile {
    /// Other processes of this user can open it by this path.
    let path: String

    init() throws {
        let descriptor = watchlink_memory_file("libvirtualtimepreload.so")
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOMEM) }
        let contents = Data(base64Encoded: PreloadedLibrary.base64) ?? Data()
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: contents)
        path = "/proc/\(getpid())/fd/\(descriptor)"
    }
}
