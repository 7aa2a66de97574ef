/// The versions of the protocol, and what each added. `Wire.md` has the bytes.
package enum ProtocolVersion {
    /// Hellos, packages in whole frames, files in chunks.
    package static let first = 1
    /// A command that is not known is answered as failed.
    package static let second = 2

    /// What this code speaks.
    package static let spoken = first...second

    /// The highest version that both sides speak.
    ///
    /// - Throws: ``ProtocolError`` if there is none.
    static func shared(_ own: ClosedRange<Int>, _ peer: ClosedRange<Int>) throws(ProtocolError) -> Int {
        guard own.overlaps(peer) else {
            throw ProtocolError(.versionMismatch, "the peer speaks \(name(peer)), this side \(name(own))")
        }
        return min(own.upperBound, peer.upperBound)
    }

    private static func name(_ versions: ClosedRange<Int>) -> String {
        versions.count == 1
            ? "version \(versions.lowerBound)" : "versions \(versions.lowerBound) to \(versions.upperBound)"
    }
}
