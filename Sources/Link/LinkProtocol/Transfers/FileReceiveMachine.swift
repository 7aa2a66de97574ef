/// The state machine of an incoming file: accepts chunks in order, without gaps and up to the announced size.
package struct FileReceiveMachine: Sendable {
    private enum State {
        /// This many bytes have arrived. Next: whole.
        case receiving(Int64)
        /// The last chunk has arrived. The final state.
        case whole
    }

    package let size: Int64
    private var state: State

    /// Creates a machine that continues an earlier attempt.
    ///
    /// - Parameter received: The number of bytes already received.
    package init(size: Int64, received: Int64) {
        self.size = size
        state = .receiving(received)
    }

    /// The number of bytes received so far.
    package var received: Int64 {
        switch state {
        case .receiving(let received): received
        case .whole: size
        }
    }

    package enum ChunkAction: Equatable, Sendable {
        /// Write the chunk and report the progress.
        case write
        /// Write the chunk; the file is then complete if it has this checksum.
        case finish(checksum: UInt32)
    }

    /// Handles a chunk.
    ///
    /// - Throws: ``ProtocolError`` for a chunk at the wrong offset or beyond the announced size; the state is then
    ///   unchanged.
    package mutating func received(_ chunk: FilePackage.Chunk) throws(ProtocolError) -> ChunkAction {
        let (next, action) = try receiving(chunk)
        state = next
        return action
    }

    private func receiving(_ chunk: FilePackage.Chunk) throws(ProtocolError) -> (State, ChunkAction) {
        guard case .receiving(let received) = state else {
            throw ProtocolError(.badFile, "a chunk after the last of \(size) bytes")
        }
        guard chunk.offset == received else {
            throw ProtocolError(.badFile, "a chunk at \(chunk.offset); expected \(received)")
        }
        guard Int64(chunk.bytes.count) <= size - received else {
            throw ProtocolError(.badFile, "more than the announced \(size) bytes")
        }
        let end = received + Int64(chunk.bytes.count)
        guard end == size else {
            guard chunk.checksum == nil, !chunk.bytes.isEmpty else {
                throw ProtocolError(.badFile, "the file ends at \(end) of \(size) bytes")
            }
            return (.receiving(end), .write)
        }
        guard let checksum = chunk.checksum else { throw ProtocolError(.badFile, "no checksum at the end") }
        return (.whole, .finish(checksum: checksum))
    }
}
