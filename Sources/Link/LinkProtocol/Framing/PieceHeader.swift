/// What leads a piece of a package, in the body of its frame: three numbers of four bytes, big endian.
package struct PieceHeader: Equatable, Sendable {
    package static let bytes = 12

    /// Which of the sender's streams it belongs to: the pieces of one package follow each other in one stream, those of others
    /// may come between them in theirs.
    package let stream: Int
    /// Of the whole package.
    package let length: Int
    /// Of the piece in the package.
    package let offset: Int

    package init(stream: Int, length: Int, offset: Int) {
        self.stream = stream
        self.length = length
        self.offset = offset
    }

    /// - Throws: ``ProtocolError`` if there is no room for it, or a piece of nothing behind it.
    init(_ body: UnsafeRawBufferPointer) throws(ProtocolError) {
        guard body.count > Self.bytes else {
            throw ProtocolError(.badPiece, "\(body.count) bytes; the header has \(Self.bytes), and one must follow")
        }
        func number(_ place: Int) -> Int {
            Int(UInt32(bigEndian: body.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        }
        self.init(stream: number(0), length: number(4), offset: number(8))
    }

    /// A frame's header, and this one behind it.
    package func frame(count: Int, wantsAcknowledgement: Bool) -> [UInt8] {
        let header = FrameHeader(
            .piece, length: Self.bytes + count, wantsAcknowledgement: wantsAcknowledgement)
        let numbers = (
            header.word.bigEndian, UInt32(stream).bigEndian, UInt32(length).bigEndian, UInt32(offset).bigEndian
        )
        return withUnsafeBytes(of: numbers) { Array($0) }
    }
}
