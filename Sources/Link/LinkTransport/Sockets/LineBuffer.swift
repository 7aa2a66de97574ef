package import Foundation
import Glibc

/// Splits a byte stream into lines. Each byte is searched once and moved at most twice, however the stream is split
/// into reads.
package struct LineBuffer {
    /// A line exceeds the limit. The stream is unusable afterwards.
    package struct LineTooLong: Error, Equatable, CustomStringConvertible {
        package let limit: Int
        package var description: String { "a line is longer than \(limit) bytes" }
    }

    /// The capacity that an empty buffer keeps. 64 KiB: the size of one read.
    private static let keptRoom = 64 * 1024

    private let maximumBytes: Int
    private var bytes: [UInt8] = []
    /// The start of the next line.
    private var start = 0
    /// The end of the range after `start` that is known to contain no line terminator.
    private var searchedEnd = 0
    private var isOverlong = false
    /// The number of bytes searched so far: a measure of the buffer's cost.
    private(set) var searchedBytes = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter maximumBytes: The longest line accepted, without its terminator.
    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// The number of buffered bytes, of incomplete or unread lines.
    package var pendingBytes: Int { bytes.count - start }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        guard !isOverlong else { return }
        // Moving the rest only if it is the smaller half keeps the cost per byte constant.
        if start > bytes.count / 2 {
            bytes.removeSubrange(0..<start)
            searchedEnd -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Returns the next complete line without its terminator; nil if there is none.
    package mutating func nextLine() throws(LineTooLong) -> Data? {
        guard !isOverlong else { throw LineTooLong(limit: maximumBytes) }
        let end = endOfLine()
        guard (end ?? bytes.count) - start <= maximumBytes else {
            isOverlong = true
            forget()
            throw LineTooLong(limit: maximumBytes)
        }
        guard let end else { return nil }
        let line = Data(bytes[start..<end])
        start = end + 1
        searchedEnd = start
        if start == bytes.count { forget() }
        return line
    }

    private mutating func endOfLine() -> Int? {
        let from = searchedEnd
        let found = bytes.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, from < bytes.count,
                let place = memchr(base + from, Int32(UInt8(ascii: "\n")), bytes.count - from)
            else { return nil }
            return UnsafeRawPointer(place) - base
        }
        searchedBytes += (found.map { $0 + 1 } ?? bytes.count) - from
        searchedEnd = found ?? bytes.count
        return found
    }

    private mutating func forget() {
        if bytes.capacity > Self.keptRoom {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        (start, searchedEnd) = (0, 0)
    }
}
