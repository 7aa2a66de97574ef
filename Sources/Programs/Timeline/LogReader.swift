import Foundation
import Glibc

/// A reader of the events of one service's log, which may be several files. It holds one block at a time.
package final class LogReader {
    /// The bytes of a block. 256 KiB: some thousand lines per system call.
    private static let blockBytes = 256 * 1024
    /// The longest line in bytes. 1 MiB: far above what a service writes; longer lines are not from a log.
    private static let lineBytes = 1_048_576

    private let watch: String
    private var waiting: [String]
    private var file: FileHandle?
    private var buffer: [UInt8] = []
    /// The unread bytes of the buffer.
    private var rest = 0..<0
    /// True while skipping to the end of a line that is too long.
    private var isSkipping = false
    /// The number of lines read so far.
    package private(set) var lines = 0

    /// - Parameters:
    ///   - paths: The files, the oldest first.
    ///   - watch: The watch whose log it is, if it is a watch's.
    package init(_ paths: [String], watch: String) {
        waiting = paths
        self.watch = watch
    }

    /// Returns the next event; nil at the end.
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

    /// Returns the next complete line in the buffer.
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

    /// Reads the next block; false at the end.
    private func readMore() throws -> Bool {
        guard let file else { return try openNext() }
        if rest.count > Self.lineBytes {
            isSkipping = true
            rest = rest.upperBound..<rest.upperBound
        }
        // Move the incomplete line to the front.
        buffer.removeSubrange(..<rest.lowerBound)
        buffer.removeSubrange(rest.count...)
        let data = try file.read(upToCount: Self.blockBytes) ?? Data()
        if data.isEmpty {
            // The last line may lack its newline.
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
