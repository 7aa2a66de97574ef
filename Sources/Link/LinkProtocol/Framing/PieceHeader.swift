/// The header of a piece in the body of its frame: three 4-byte numbers, big endian.
package struct PieceHeader: Equatable, Sendable {
    package static let bytes = 12

    /// The sender's stream: the pieces of one package are consecutive in their stream, but may alternate with frames of
    /// other streams.
    package let stream: Int
    /// The length of the whole package.
    package let length: Int
    /// The offset of the piece in the package.
    package let offset: Int

    package init(stream: Int, length: Int, offset: Int) {
        self.stream = stream
        self.length = length
        self.offset = offset
    }

    /// Decodes the start of a body.
    ///
    /// - Throws: ``ProtocolError`` if the body contains no more than the header.
    init(_ body: UnsafeRawBufferPointer) throws(ProtocolError) {
        guard body.count > Self.bytes else {
            throw ProtocolError(.badPiece, "\(body.count) bytes; the minimum is \(Self.bytes + 1)")
        }
        func number(_ place: Int) -> Int {
            Int(UInt32(bigEndian: body.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        }
        self.init(stream: number(0), length: number(4), offset: number(8))
    }

    /// The frame's header followed by this one.
    package func frame(count: Int, wantsAcknowledgement: Bool) -> [UInt8] {
        let header = FrameHeader(
            .piece, length: Self.bytes + count, wantsAcknowledgement: wantsAcknowledgement)
        let numbers = (
            header.word.bigEndian, UInt32(stream).bigEndian, UInt32(length).bigEndian, UInt32(offset).bigEndian
        )
        return withUnsafeBytes(of: numbers) { Array($0) }
    }
}
