import Foundation

/// Cuts a stream of bytes into lines.
struct LineSplitter {
    private var buffer = Data()
    private let maximumBytes: Int

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Whether a line has grown past the limit.
    var isOverlong: Bool { buffer.count > maximumBytes }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isOverlong else { return }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole line without its end.
    mutating func nextLine() -> Data? {
        guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = Data(buffer[buffer.startIndex..<end])
        buffer = Data(buffer[(end + 1)...])
        return line
    }
}
