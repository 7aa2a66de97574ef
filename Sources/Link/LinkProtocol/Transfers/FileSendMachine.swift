/// How a file goes out: from where its receiver wants it, a few chunks at a time, the last one with the checksum.
package struct FileSendMachine: Sendable {
    /// A piece to read and send.
    package struct Piece: Equatable, Sendable {
        package let offset: Int64
        package let count: Int
        package let isLast: Bool
    }

    private enum State {
        /// Its receiver has not said what it has. Can become: sending, sentWhole.
        case announced
        /// The receiver has one part, and all of a longer one has been sent. Can become: sentWhole.
        case sending(acknowledged: Int64, sent: Int64)
        /// The last piece has been sent. Nothing follows.
        case sentWhole(acknowledged: Int64)
    }

    package let size: Int64
    private var state = State.announced

    package init(size: Int64) { self.size = size }

    /// What the receiver has; nil until it has said so.
    package var acknowledged: Int64? {
        switch state {
        case .announced: nil
        case .sending(let acknowledged, _), .sentWhole(let acknowledged): acknowledged
        }
    }

    /// The receiver has the file up to an offset.
    ///
    /// - Returns: What to send next.
    /// - Throws: ``ProtocolError`` for an offset that cannot be; nothing is changed then.
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
            throw ProtocolError(.badFile, "offset \(offset) after \(acknowledged), sent up to \(sent)")
        }
    }

    /// As many pieces as may be under way.
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
