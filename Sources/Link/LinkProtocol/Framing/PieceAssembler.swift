/// Reassembles packages from pieces: each stream in order, without gaps, and never beyond the announced length.
package final class PieceAssembler {
    private struct Part {
        /// The room of a new part, in bytes. 132 KiB: the package of a file's chunk is never moved while it grows, a larger
        /// one seldom, and a peer that announces much and sends little holds no more than that for each of its eight streams.
        static let firstRoom = 132 * 1024

        let length: Int
        var bytes: [UInt8] = []

        init(length: Int) {
            self.length = length
            bytes.reserveCapacity(min(length, Self.firstRoom))
        }
    }

    private var parts: [Int: Part] = [:]
    private var heldBytes = 0
    private let memory: PieceBudget

    /// Creates an assembler that shares the endpoint's memory budget.
    package init(_ memory: PieceBudget) { self.memory = memory }

    deinit { giveBack(heldBytes) }

    /// True if a package is incomplete.
    package var isInsidePackage: Bool { !parts.isEmpty }

    /// Adds the body of a piece's frame.
    ///
    /// - Returns: The body of the package if this was its last piece.
    /// - Throws: ``ProtocolError`` for a piece that is out of order or exceeds a limit.
    package func add(_ body: UnsafeRawBufferPointer) throws(ProtocolError) -> [UInt8]? {
        let header = try PieceHeader(body)
        let bytes = UnsafeRawBufferPointer(rebasing: body[PieceHeader.bytes...])
        try check(header, bytes.count)
        guard heldBytes + bytes.count <= LinkLimits.connectionPieceBytes else {
            throw ProtocolError(
                .piecesFull,
                "\(heldBytes + bytes.count) bytes of incomplete packages; the limit is \(LinkLimits.connectionPieceBytes)"
            )
        }
        guard memory.take(bytes.count) else {
            throw ProtocolError(.piecesFull, "incomplete packages of all peers already use \(memory.used) bytes")
        }
        heldBytes += bytes.count
        // In place: taking the part out and putting it back would copy it.
        parts[header.stream, default: Part(length: header.length)].bytes.append(contentsOf: bytes)
        guard header.offset + bytes.count == header.length else { return nil }
        let whole = parts.removeValue(forKey: header.stream)?.bytes ?? []
        giveBack(whole.count)
        return whole
    }

    /// Discards all incomplete packages when the connection ends.
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
                .badPiece, "a piece at \(header.offset) of stream \(header.stream); expected \(part?.bytes.count ?? 0)"
            )
        }
        if let part, part.length != header.length {
            throw ProtocolError(
                .badPiece, "a package of \(header.length) bytes, announced with \(part.length)")
        }
        guard count <= header.length - header.offset else {
            throw ProtocolError(
                .badPiece, "\(header.offset + count) bytes of a package of \(header.length)")
        }
    }
}
