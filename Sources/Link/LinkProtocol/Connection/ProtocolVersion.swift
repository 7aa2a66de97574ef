/// The versions of the protocol with their additions. `Wire.md` has the bytes.
package enum ProtocolVersion {
    /// Hellos, packages in whole frames, files in chunks.
    package static let first = 1
    /// Unknown commands are answered as failed.
    package static let second = 2

    /// The versions that this code supports.
    package static let spoken = first...second

    /// Returns the highest version that both sides support.
    ///
    /// - Throws: ``ProtocolError`` if the ranges do not overlap.
    static func shared(_ own: ClosedRange<Int>, _ peer: ClosedRange<Int>) throws(ProtocolError) -> Int {
        guard own.overlaps(peer) else {
            throw ProtocolError(.versionMismatch, "the peer speaks \(name(peer)), this side \(name(own))")
        }
        return min(own.upperBound, peer.upperBound)
    }

    private static func name(_ versions: ClosedRange<Int>) -> String {
        // Bounds are compared, as a peer's range may be too wide to be counted.
        versions.lowerBound == versions.upperBound
            ? "version \(versions.lowerBound)" : "versions \(versions.lowerBound) to \(versions.upperBound)"
    }
}
