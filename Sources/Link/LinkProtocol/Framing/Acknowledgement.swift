/// An acknowledgement in the body of a frame: two 8-byte big-endian numbers and a byte of flags.
package struct Acknowledgement: Equatable, Sendable {
    private static let bytes = 17
    private static let conditionedFlag: UInt8 = 1

    /// The number of bytes received from the peer since its hello, not counting acknowledgements.
    package let end: Int64
    /// The time when the last of these bytes was read, by the reader's clock.
    package let arrival: MonotonicTime
    /// True if the reader's link is conditioned. If neither side's is, the link is a bare socket.
    package let isConditioned: Bool

    package init(end: Int64, arrival: MonotonicTime, isConditioned: Bool = true) {
        self.end = end
        self.arrival = arrival
        self.isConditioned = isConditioned
    }

    /// Decodes the body of a frame.
    ///
    /// - Throws: ``ProtocolError`` if the body has the wrong size.
    init(_ body: UnsafeRawBufferPointer) throws(ProtocolError) {
        guard body.count == Self.bytes else {
            throw ProtocolError(.badAcknowledgement, "\(body.count) bytes; expected \(Self.bytes)")
        }
        end = Int64(bigEndian: body.loadUnaligned(as: Int64.self))
        arrival = MonotonicTime(
            nanoseconds: Int64(bigEndian: body.loadUnaligned(fromByteOffset: 8, as: Int64.self)))
        // The other flags are reserved for later versions.
        isConditioned = body[16] & Self.conditionedFlag != 0
    }

    package var frame: [UInt8] {
        let header = FrameHeader(.acknowledgement, length: Self.bytes)
        var frame: [UInt8] = []
        frame.reserveCapacity(FrameHeader.bytes + Self.bytes)
        withUnsafeBytes(of: header.word.bigEndian) { frame.append(contentsOf: $0) }
        withUnsafeBytes(of: (end.bigEndian, arrival.nanoseconds.bigEndian)) { frame.append(contentsOf: $0) }
        frame.append(isConditioned ? Self.conditionedFlag : 0)
        return frame
    }
}
