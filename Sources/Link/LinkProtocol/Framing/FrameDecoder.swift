/// Cuts a stream of bytes into frames: a ``FrameHeader``, then as many bytes as it says.
///
/// The limit is checked as soon as the length is known, before anything of the body is stored. Bytes are kept only of frames that
/// are not whole, or not wanted yet: an idle connection has none.
package struct FrameDecoder {
    /// What came earlier, from `start` on. Empty while the frames lie in `arrived`.
    private var kept: [UInt8] = []
    private var start = 0
    /// What has come now: only between ``begin(_:)`` and ``end()``.
    private var arrived: UnsafeRawBufferPointer?
    /// Longest body that is taken, of the frames to come.
    package var maximumBytes: Int
    /// Bytes that were copied or moved, ever: the cost of this decoder, for those who check it.
    package private(set) var movedBytes = 0
    /// Of the protocol, for the frames to come.
    package var version = ProtocolVersion.first

    package init(maximumBytes: Int = LinkLimits.frameBytes) {
        self.maximumBytes = maximumBytes
    }

    /// Whether a frame has begun and not ended: the peer's last words, if the stream ends now.
    package var isInsideFrame: Bool { start < kept.count }

    /// What waits for the end of its frame, or to be read.
    package var keptBytes: Int { kept.count - start }

    /// Bytes have come, which stay where they are until ``end()``.
    package mutating func begin(_ bytes: UnsafeRawBufferPointer) {
        guard isInsideFrame else {
            arrived = bytes
            return
        }
        if start > kept.count / 2 {
            // Moving the rest forward only when it is the smaller half keeps the cost per byte constant.
            movedBytes += kept.count - start
            kept.removeSubrange(0..<start)
            start = 0
        }
        movedBytes += bytes.count
        kept.append(contentsOf: bytes)
    }

    /// The bytes that came go away: what is left of them is kept.
    package mutating func end() {
        if let arrived {
            movedBytes += arrived.count
            kept.append(contentsOf: arrived)
            self.arrived = nil
        } else if start == kept.count {
            kept = []
            start = 0
        }
    }

    /// Reads the next whole frame's body where it lies; nil until there is one.
    ///
    /// - Throws: ``ProtocolError`` for a length that is zero or above the limit; the stream is of no use afterwards. And what
    ///   the reader throws.
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

    /// The first frame's header, if the frame is whole.
    private static func header(
        of bytes: UnsafeRawBufferPointer, _ version: Int, _ maximumBytes: Int
    ) throws(ProtocolError) -> FrameHeader? {
        guard bytes.count >= FrameHeader.bytes else { return nil }
        let word = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
        let header = try FrameHeader(word, version: version, maximumBytes: maximumBytes)
        return bytes.count - FrameHeader.bytes >= header.length ? header : nil
    }
}
