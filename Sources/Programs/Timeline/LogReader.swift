import Foundation
import Glibc

/// Reads the events of one service's log, which may be several files, the oldest first. Holds a block of them at a time.
package final class LogReader {
    /// 256 KiB: some thousand lines for each call of the system.
    private static let blockBytes = 256 * 1024
    /// Longest line. 1 MiB: many times what a service writes; what is longer is no log.
    private static let lineBytes = 1_048_576

    private let watch: String
    private var waiting: [String]
    private var file: FileHandle?
    private var buffer: [UInt8] = []
    /// The bytes of the buffer that are still to be read.
    private var rest = 0..<0
    /// Whether the line that begins the buffer is too long, and passed over to its end.
    private var isSkipping = false
    /// How many lines have been read.
    package private(set) var lines = 0

    /// - Parameters:
    ///   - paths: The files, the oldest first.
    ///   - watch: Which watch's log it is, if it is one's.
    package init(_ paths: [String], watch: String) {
        waiting = paths
        self.watch = watch
    }

    /// The next line that is an event; nil at the end.
    package func next() throws -> TimelineEvent? {
        while true {
            if let line = nextLine() {
                lines += 1
                let event = buffer.withUnsafeBytes {
                    LogLine.parse(UnsafeRawBufferPointer(rebasing: $0[line]), watch: watch)
                }
                if let event { return event }
            } else if try !readMore() {
                return nil
            }
        }
    }

    /// The next whole line in the buffer.
    private func nextLine() -> Range<Int>? {
        let length = buffer.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = memchr(start + rest.lowerBound, 10, rest.count) else {
                return Int?.none
            }
            return UnsafeRawPointer(found) - (start + rest.lowerBound)
        }
        guard let length else { return nil }
        let line = rest.lowerBound..<(rest.lowerBound + length)
        rest = (line.upperBound + 1)..<rest.upperBound
        guard !isSkipping else {
            isSkipping = false
            return nextLine()
        }
        return line
    }

    /// Whether there is more to look at.
    private func readMore() throws -> Bool {
        guard let file else { return try openNext() }
        if rest.count > Self.lineBytes {
            isSkipping = true
            rest = rest.upperBound..<rest.upperBound
        }
        // What is left of a line goes to the front.
        buffer.removeSubrange(..<rest.lowerBound)
        buffer.removeSubrange(rest.count...)
        let data = try file.read(upToCount: Self.blockBytes) ?? Data()
        if data.isEmpty {
            // The last line may have no end.
            let hasTail = !buffer.isEmpty && !isSkipping
            if hasTail { buffer.append(10) }
            rest = 0..<(hasTail ? buffer.count : 0)
            isSkipping = false
            try file.close()
            self.file = nil
            return true
        }
        buffer.append(contentsOf: data)
        rest = 0..<buffer.count
        return true
    }

    private func openNext() throws -> Bool {
        guard !waiting.isEmpty else { return false }
        file = try FileHandle(forReadingFrom: URL(filePath: waiting.removeFirst()))
        return true
    }
}
