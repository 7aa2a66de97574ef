/// The header of a frame: four bytes, big endian.
///
/// In the first version of the protocol they contain the length of a package. In the second, the top byte contains the
/// acknowledgement request (highest bit) and the kind (the other bits).
package struct FrameHeader: Equatable, Sendable {
    package enum Kind: UInt32, Sendable {
        case package = 0
        case piece = 1
        case acknowledgement = 2
    }

    package static let bytes = 4
    private static let lengthBits: UInt32 = 24
    private static let wish: UInt32 = 1 << 31

    package let kind: Kind
    package let wantsAcknowledgement: Bool
    /// The length of the body in bytes.
    package let length: Int

    package init(_ kind: Kind, length: Int, wantsAcknowledgement: Bool = false) {
        self.kind = kind
        self.length = length
        self.wantsAcknowledgement = wantsAcknowledgement
    }

    /// Decodes a header.
    ///
    /// - Throws: ``ProtocolError`` if the version has no such frame.
    init(_ word: UInt32, version: Int, maximumBytes: Int) throws(ProtocolError) {
        var (length, wish, number) = (word, false, Kind.package.rawValue)
        if version >= ProtocolVersion.second {
            length = word & (1 << Self.lengthBits - 1)
            wish = word & Self.wish != 0
            number = (word & ~Self.wish) >> Self.lengthBits
        }
        guard let kind = Kind(rawValue: number) else {
            throw ProtocolError(.unknownFrame, "kind \(number); the highest is 2")
        }
        guard length > 0 else { throw ProtocolError(.emptyFrame, "the length is 0") }
        guard length <= maximumBytes else {
            throw ProtocolError(.frameTooLong, "\(length) bytes; the limit is \(maximumBytes)")
        }
        self.init(kind, length: Int(length), wantsAcknowledgement: wish)
    }

    /// The four bytes, in native byte order.
    package var word: UInt32 {
        (wantsAcknowledgement ? Self.wish : 0) | kind.rawValue << Self.lengthBits | UInt32(length)
    }
}
