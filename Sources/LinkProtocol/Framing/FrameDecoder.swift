/// Cuts a stream of bytes into frames: a length of four bytes, big endian, then that many bytes.
///
/// The limit is checked as soon as the length is known, before anything of the body is stored.
package struct FrameDecoder {
    /// Bytes of the length that leads each frame.
    package static let headerBytes = 4

    /// A buffer up to this size is kept between frames. 16 KiB: a host may serve thousands of connections.
    private static let keptBytes = 16 * 1024

    @usableFromInline var buffer: [UInt8] = []
    private var start = 0
    private let maximumBytes: Int

    package init(maximumBytes: Int = LinkLimits.frameBytes) {
        self.maximumBytes = maximumBytes
    }

    /// Whether a frame has begun and not ended: the peer's last words, if the stream ends now.
    package var isInsideFrame: Bool { start < buffer.count }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptBytes)
            start = 0
        } else if start > buffer.count / 2 {
            // Moving the rest forward only when it is the smaller half keeps the cost per byte constant.
            buffer.removeSubrange(0..<start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Reads the next whole frame's body where it lies; nil until there is one.
    ///
    /// - Throws: ``ProtocolError`` for a length that is zero or above the limit; the stream is of no use afterwards. And what
    ///   the reader throws.
    @inlinable
    package mutating func nextFrame<Result>(
        _ read: (UnsafeRawBufferPointer) throws(ProtocolError) -> Result
    ) throws(ProtocolError) -> Result? {
        guard let body = try nextBody() else { return nil }
        return try buffer.withUnsafeBufferPointer { bytes throws(ProtocolError) in
            try read(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[body])))
        }
    }

    /// Where the next whole frame's body lies.
    @usableFromInline
    mutating func nextBody() throws(ProtocolError) -> Range<Int>? {
        guard buffer.count - start >= Self.headerBytes else { return nil }
        let length = buffer.withUnsafeBytes {
            Int(UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
        }
        guard length > 0 else { throw ProtocolError(.emptyFrame, "a frame of no bytes") }
        guard length <= maximumBytes else {
            throw ProtocolError(.frameTooLong, "\(length) bytes; the limit is \(maximumBytes)")
        }
        let body = start + Self.headerBytes
        guard buffer.count - body >= length else { return nil }
        start = body + length
        return body..<start
    }
}
