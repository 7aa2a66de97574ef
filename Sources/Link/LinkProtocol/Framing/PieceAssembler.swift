/// Puts the pieces of packages together: each stream's in their order, without a gap, and never more than was announced.
package final class PieceAssembler {
    private struct Part {
        let length: Int
        var bytes: [UInt8] = []
    }

    private var parts: [Int: Part] = [:]
    private var heldBytes = 0
    private let memory: PieceMemory

    /// - Parameter memory: The endpoint's.
    package init(_ memory: PieceMemory) { self.memory = memory }

    deinit { giveBack(heldBytes) }

    /// Whether a package has come in part.
    package var isInsidePackage: Bool { !parts.isEmpty }

    /// Takes the body of a piece's frame.
    ///
    /// - Returns: The package's body, if this was its last piece.
    /// - Throws: ``ProtocolError`` for a piece that does not follow, or for which there is no room.
    package func add(_ body: UnsafeRawBufferPointer) throws(ProtocolError) -> [UInt8]? {
        let header = try PieceHeader(body)
        let bytes = UnsafeRawBufferPointer(rebasing: body[PieceHeader.bytes...])
        try check(header, bytes.count)
        guard heldBytes + bytes.count <= LinkLimits.connectionPieceBytes else {
            throw ProtocolError(
                .piecesFull,
                "\(heldBytes + bytes.count) bytes of unfinished packages; the limit is \(LinkLimits.connectionPieceBytes)"
            )
        }
        guard memory.take(bytes.count) else {
            throw ProtocolError(.piecesFull, "all peers' unfinished packages have \(memory.used) bytes already")
        }
        heldBytes += bytes.count
        // In place: a part that is taken out and put back would be copied.
        parts[header.stream, default: Part(length: header.length)].bytes.append(contentsOf: bytes)
        guard header.offset + bytes.count == header.length else { return nil }
        let whole = parts.removeValue(forKey: header.stream)?.bytes ?? []
        giveBack(whole.count)
        return whole
    }

    /// The connection is over: what came of packages is of no use.
    package func removeAll() {
        parts.removeAll()
        giveBack(heldBytes)
    }

    private func giveBack(_ count: Int) {
        heldBytes -= count
        memory.giveBack(count)
    }

    private func check(_ header: PieceHeader, _ count: Int) throws(ProtocolError) {
        guard header.stream < LinkLimits.pieceStreams else {
            throw ProtocolError(
                .badPiece, "stream \(header.stream); the highest is \(LinkLimits.pieceStreams - 1)")
        }
        guard (1...LinkLimits.frameBytes).contains(header.length) else {
            throw ProtocolError(
                .badPiece, "a package of \(header.length) bytes; the limit is \(LinkLimits.frameBytes)")
        }
        let part = parts[header.stream]
        guard header.offset == part?.bytes.count ?? 0 else {
            throw ProtocolError(
                .badPiece, "a piece at \(header.offset) of stream \(header.stream), wanted is \(part?.bytes.count ?? 0)"
            )
        }
        if let part, part.length != header.length {
            throw ProtocolError(
                .badPiece, "a package of \(header.length) bytes that was announced with \(part.length)")
        }
        guard count <= header.length - header.offset else {
            throw ProtocolError(
                .badPiece, "\(header.offset + count) bytes of a package of \(header.length)")
        }
    }
}
