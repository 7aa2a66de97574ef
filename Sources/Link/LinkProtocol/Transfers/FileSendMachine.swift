/// How a file goes out: from where its receiver wants it, a few chunks at a time, the last one with the checksum.
package struct FileSendMachine: Sendable {
    /// A piece to read and send.
    package struct Piece: Equatable, Sendable {
        package let offset: Int64
        package let count: Int
        package let isLast: Bool
    }

    package let size: Int64
    /// What the receiver has; nil until it has said so.
    package private(set) var acknowledged: Int64?
    private var sent: Int64 = 0
    private var isLastSent = false

    package init(size: Int64) { self.size = size }

    /// The receiver has the file up to an offset.
    ///
    /// - Returns: What to send next.
    /// - Throws: ``ProtocolError`` for an offset that cannot be.
    package mutating func progressed(to offset: Int64) throws(ProtocolError) -> [Piece] {
        guard offset <= size else { throw ProtocolError(.badFile, "offset \(offset) in a file of \(size) bytes") }
        if let acknowledged {
            guard (acknowledged...sent).contains(offset) else {
                throw ProtocolError(.badFile, "offset \(offset) after \(acknowledged), sent up to \(sent)")
            }
        } else {
            sent = offset
        }
        acknowledged = offset
        var pieces: [Piece] = []
        let limit = offset + Int64(LinkLimits.fileChunks * LinkLimits.fileChunkBytes)
        while !isLastSent, sent < limit {
            let count = Int(min(Int64(LinkLimits.fileChunkBytes), size - sent))
            isLastSent = sent + Int64(count) == size
            pieces.append(Piece(offset: sent, count: count, isLast: isLastSent))
            sent += Int64(count)
        }
        return pieces
    }
}
