import Foundation

/// The lines that a program writes to a file, read as they arrive.
struct OutputLines {
    private let file: FileHandle
    /// The incomplete last line.
    private var rest: [UInt8] = []

    /// Opens a file; nil, with `errno` set, if it cannot be opened.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Returns the lines completed since the last call.
    mutating func next() -> [Substring] {
        rest += file.readDataToEndOfFile()
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self).split(separator: "\n")
    }
}
