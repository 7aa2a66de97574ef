/// Splits a byte stream into frames: a ``FrameHeader``, then a body of the length in the header.
///
/// The length is checked as soon as it is known, before any of the body is stored. Only incomplete or unread frames are
/// buffered: an idle connection buffers nothing.
package struct FrameDecoder {
    /// Bytes of earlier reads, from `start` on. Empty while `arrived` contains the frames.
    private var kept: [UInt8] = []
    private var start = 0
    /// The bytes of the current read; only between ``begin(_:)`` and ``end()``.
    private var arrived: UnsafeRawBufferPointer?
    /// The longest body accepted from now on.
    package var maximumBytes: Int
    /// The number of bytes copied or moved so far: a measure of the decoder's cost.
    package private(set) var movedBytes = 0
    /// The protocol version from now on.
    package var version = ProtocolVersion.first

    package init(maximumBytes: Int = LinkLimits.frameBytes) {
        self.maximumBytes = maximumBytes
    }

    /// True if an incomplete frame is buffered: the peer was cut off if the stream ends now.
    package var isInsideFrame: Bool { start < kept.count }

    /// The number of buffered bytes, of incomplete or unread frames.
    package var keptBytes: Int { kept.count - start }

    /// Adds received bytes, which must stay valid until ``end()``.
    package mutating func begin(_ bytes: UnsafeRawBufferPointer) {
        guard isInsideFrame else {
            arrived = bytes
            return
        }
        if start > kept.count / 2 {
            // Moving the rest only if it is the smaller half keeps the cost per byte constant.
            movedBytes += kept.count - start
            kept.removeSubrange(0..<start)
            start = 0
        }
        movedBytes += bytes.count
        kept.append(contentsOf: bytes)
    }

    /// Ends the validity of the received bytes; unread ones are copied.
    package mutating func end() {
        if let arrived {
            self.arrived = nil
            guard !arrived.isEmpty else { return }
            movedBytes += arrived.count
            kept.append(contentsOf: arrived)
        } else if start == kept.count {
            kept = []
            start = 0
        }
    }

    /// Reads the body of the next complete frame in place; returns nil if there is none.
    ///
    /// - Throws: ``ProtocolError`` for a length of zero or above the limit, after which the stream is unusable, and the
    ///   errors of `read`.
    package mutating func nextFrame<Result>(
        _ read: (FrameHeader, UnsafeRawBufferPointer) throws(ProtocolError) -> Result
    ) throws(ProtocolError) -> Result? {
        if let rest = arrived {
            guard let header = try Self.header(of: rest, version, maximumBytes) else { return nil }
            let end = FrameHeader.bytes + header.length
            arrived = UnsafeRawBufferPointer(rebasing: rest[end...])
            return try read(header, UnsafeRawBufferPointer(rebasing: rest[FrameHeader.bytes..<end]))
        }
        let (from, version, maximum) = (start, version, maximumBytes)
        let found = try kept.withUnsafeBufferPointer { bytes throws(ProtocolError) -> (Result, Int)? in
            let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[from...]))
            guard let header = try Self.header(of: rest, version, maximum) else { return nil }
            let end = FrameHeader.bytes + header.length
            return (try read(header, UnsafeRawBufferPointer(rebasing: rest[FrameHeader.bytes..<end])), end)
        }
        guard let (result, count) = found else { return nil }
        start += count
        return result
    }

    /// Returns the header of the first frame if the frame is complete.
    private static func header(
        of bytes: UnsafeRawBufferPointer, _ version: Int, _ maximumBytes: Int
    ) throws(ProtocolError) -> FrameHeader? {
        guard bytes.count >= FrameHeader.bytes else { return nil }
        let word = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
        let header = try FrameHeader(word, version: version, maximumBytes: maximumBytes)
        return bytes.count - FrameHeader.bytes >= header.length ? header : nil
    }
}
