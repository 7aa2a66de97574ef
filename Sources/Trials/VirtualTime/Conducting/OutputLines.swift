import Foundation

/// The lines that a program writes into a file, as they come.
struct OutputLines {
    private let file: FileHandle
    /// What has no end yet.
    private var rest: [UInt8] = []

    /// - Returns: Nil (and `errno`) if the file cannot be read.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Those that were finished since the last look.
    mutating func next() -> [Substring] {
        rest += file.readDataToEndOfFile()
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self).split(separator: "\n")
    }
}
