import CLinux
import Foundation

/// The library that programs preload, embedded in this program: a file in memory that exists as long as this process.
struct LibraryFile {
    /// The path by which other processes of this user can open the file.
    let path: String

    init() throws {
        let descriptor = watchlink_memory_file("libvirtualtimepreload.so")
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOMEM) }
        let contents = Data(base64Encoded: PreloadedLibrary.base64) ?? Data()
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: contents)
        path = "/proc/\(getpid())/fd/\(descriptor)"
    }
}
