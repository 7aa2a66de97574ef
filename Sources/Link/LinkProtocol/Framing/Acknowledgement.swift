/// Word of what has arrived: two numbers of eight bytes, big endian, and a byte of flags in the body of a frame.
package struct Acknowledgement: Equatable, Sendable {
    private static let bytes = 17
    private static let conditionedFlag: UInt8 = 1

    /// So many of the bytes that the peer sent since its hello, acknowledgements aside.
    package let end: Int64
    /// When the last of them was read, by the clock of whoever read it.
    package let arrival: MonotonicTime
    /// Whether the link is made worse where it was read: if not, and not where it was written either, it is a bare socket.
    package let isConditioned: Bool

    package init(end: Int64, arrival: MonotonicTime, isConditioned: Bool = true) {
        self.end = end
        self.arrival = arrival
        self.isConditioned = isConditioned
    }

    /// - Throws: ``ProtocolError`` for a body of another size.
    init(_ body: UnsafeRawBufferPointer) throws(ProtocolError) {
        guard body.count == Self.bytes else {
            throw ProtocolError(.badAcknowledgement, "\(body.count) bytes; it has \(Self.bytes)")
        }
        end = Int64(bigEndian: body.loadUnaligned(as: Int64.self))
        arrival = MonotonicTime(
            nanoseconds: Int64(bigEndian: body.loadUnaligned(fromByteOffset: 8, as: Int64.self)))
        // Other flags are for versions to come.
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
