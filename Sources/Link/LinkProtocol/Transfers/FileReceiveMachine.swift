/// How a file comes in: piece by piece without a gap, never more than was announced.
package struct FileReceiveMachine: Sendable {
    private enum State {
        /// So much is here. Can become: whole.
        case receiving(Int64)
        /// The last piece has come. Nothing follows.
        case whole
    }

    package let size: Int64
    private var state: State

    /// - Parameter received: What is here already.
    package init(size: Int64, received: Int64) {
        self.size = size
        state = .receiving(received)
    }

    /// What is here already.
    package var received: Int64 {
        switch state {
        case .receiving(let received): received
        case .whole: size
        }
    }

    package enum ChunkAction: Equatable, Sendable {
        /// Write it, and say how far the file is.
        case write
        /// Write it; then the file is whole, if its checksum is this.
        case finish(checksum: UInt32)
    }

    /// - Throws: ``ProtocolError`` for a piece that does not follow, or that leads beyond the announced size; nothing is changed then.
    package mutating func received(_ chunk: FilePackage.Chunk) throws(ProtocolError) -> ChunkAction {
        let (next, action) = try receiving(chunk)
        state = next
        return action
    }

    private func receiving(_ chunk: FilePackage.Chunk) throws(ProtocolError) -> (State, ChunkAction) {
        guard case .receiving(let received) = state else {
            throw ProtocolError(.badFile, "a piece behind the last of \(size) bytes")
        }
        guard chunk.offset == received else {
            throw ProtocolError(.badFile, "a piece at \(chunk.offset), wanted is \(received)")
        }
        guard Int64(chunk.bytes.count) <= size - received else {
            throw ProtocolError(.badFile, "more than the announced \(size) bytes")
        }
        let end = received + Int64(chunk.bytes.count)
        guard end == size else {
            guard chunk.checksum == nil, !chunk.bytes.isEmpty else {
                throw ProtocolError(.badFile, "an end at \(end) of \(size) bytes")
            }
            return (.receiving(end), .write)
        }
        guard let checksum = chunk.checksum else { throw ProtocolError(.badFile, "no checksum at the end") }
        return (.whole, .finish(checksum: checksum))
    }
}
