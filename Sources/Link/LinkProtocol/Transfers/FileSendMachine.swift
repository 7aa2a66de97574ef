/// The state machine of an outgoing file: sends from the receiver's offset, a few chunks at a time, the last one with
/// the checksum.
package struct FileSendMachine: Sendable {
    /// A chunk to read and send.
    package struct Piece: Equatable, Sendable {
        package let offset: Int64
        package let count: Int
        package let isLast: Bool
    }

    private enum State {
        /// The receiver has not reported its offset yet. Next: sending, sentWhole.
        case announced
        /// The receiver has the first bytes, and more have been sent. Next: sentWhole.
        case sending(acknowledged: Int64, sent: Int64)
        /// The last chunk has been sent. The final state.
        case sentWhole(acknowledged: Int64)
    }

    package let size: Int64
    private var state = State.announced

    package init(size: Int64) { self.size = size }

    /// The number of bytes that the receiver has; nil until it has reported that.
    package var acknowledged: Int64? {
        switch state {
        case .announced: nil
        case .sending(let acknowledged, _), .sentWhole(let acknowledged): acknowledged
        }
    }

    /// Handles a progress report of the receiver.
    ///
    /// - Returns: The chunks to send next.
    /// - Throws: ``ProtocolError`` for an impossible offset; the state is then unchanged.
    package mutating func progressed(to offset: Int64) throws(ProtocolError) -> [Piece] {
        let (next, pieces) = try progressing(to: offset)
        state = next
        return pieces
    }

    private func progressing(to offset: Int64) throws(ProtocolError) -> (State, [Piece]) {
        guard offset <= size else { throw ProtocolError(.badFile, "offset \(offset) in a file of \(size) bytes") }
        switch state {
        case .announced: return following(offset, sent: offset)
        case .sending(let acknowledged, let sent):
            try check(offset, acknowledged, sent)
            return following(offset, sent: sent)
        case .sentWhole(let acknowledged):
            try check(offset, acknowledged, size)
            return (.sentWhole(acknowledged: offset), [])
        }
    }

    private func check(_ offset: Int64, _ acknowledged: Int64, _ sent: Int64) throws(ProtocolError) {
        guard (acknowledged...sent).contains(offset) else {
            throw ProtocolError(.badFile, "offset \(offset); expected \(acknowledged) to \(sent)")
        }
    }

    /// Returns the chunks that may be sent now.
    private func following(_ acknowledged: Int64, sent: Int64) -> (State, [Piece]) {
        var sent = sent
        var pieces: [Piece] = []
        let limit = acknowledged + Int64(LinkLimits.fileChunks * LinkLimits.fileChunkBytes)
        while sent < limit {
            let count = Int(min(Int64(LinkLimits.fileChunkBytes), size - sent))
            let isLast = sent + Int64(count) == size
            pieces.append(Piece(offset: sent, count: count, isLast: isLast))
            sent += Int64(count)
            if isLast { return (.sentWhole(acknowledged: acknowledged), pieces) }
        }
        return (.sending(acknowledged: acknowledged, sent: sent), pieces)
    }
}
