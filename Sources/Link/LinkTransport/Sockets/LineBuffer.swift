package import Foundation
import Glibc

/// Cuts a stream of bytes into lines. Each byte is searched once and moved at most twice, however the stream was split into reads.
package struct LineBuffer {
    /// A line has grown past the limit. The stream is of no use afterwards.
    package struct LineTooLong: Error, Equatable, CustomStringConvertible {
        package let limit: Int
        package var description: String { "a line is longer than \(limit) bytes" }
    }

    /// Room that an empty buffer keeps. 64 KiB: what one read of a client brings.
    private static let keptRoom = 64 * 1024

    private let maximumBytes: Int
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to here there is no end of a line behind `start`.
    private var searchedEnd = 0
    private var isOverlong = false
    /// Bytes that were looked at for the end of a line, ever: the cost of this buffer, for those who check it.
    private(set) var searchedBytes = 0

    /// - Parameter maximumBytes: Longest line that is taken, without its end.
    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// What waits for the end of its line, or to be taken.
    package var pendingBytes: Int { bytes.count - start }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        guard !isOverlong else { return }
        // Moving the rest forward only when it is the smaller half keeps the cost per byte constant.
        if start > bytes.count / 2 {
            bytes.removeSubrange(0..<start)
            searchedEnd -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next whole line without its end; nil until there is one.
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
