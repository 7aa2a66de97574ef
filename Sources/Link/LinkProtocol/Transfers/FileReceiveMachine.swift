/// How a file comes in: piece by piece without a gap, never more than was announced.
package struct FileReceiveMachine: Sendable {
    package let size: Int64
    /// What is here already.
    package private(set) var received: Int64

    package init(size: Int64, received: Int64) {
        self.size = size
        self.received = received
    }

    package enum ChunkAction: Equatable, Sendable {
        /// Write it, and say how far the file is.
        case write
        /// Write it; then the file is whole, if its checksum is this.
        case finish(checksum: UInt32)
    }

    /// - Throws: ``ProtocolError`` for a piece that does not follow, or that leads beyond the announced size.
    package mutating func received(_ chunk: FilePackage.Chunk) throws(ProtocolError) -> ChunkAction {
        guard chunk.offset == received else {
            throw ProtocolError(.badFile, "a piece at \(chunk.offset), wanted is \(received)")
        }
        guard Int64(chunk.bytes.count) <= size - received else {
            throw ProtocolError(.badFile, "more than the announced \(size) bytes")
        }
        received += Int64(chunk.bytes.count)
        guard received == size else {
            guard chunk.checksum == nil, !chunk.bytes.isEmpty else {
                throw ProtocolError(.badFile, "an end at \(received) of \(size) bytes")
            }
            return .write
        }
        guard let checksum = chunk.checksum else { throw ProtocolError(.badFile, "no checksum at the end") }
        return .finish(checksum: checksum)
    }
}
