/// What leads each frame: four bytes, big endian.
///
/// In the first version of the protocol they are the length of a package. Since the second one the upper byte says what
/// follows: its highest bit asks for an acknowledgement, the others are the kind.
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
    /// Of the body.
    package let length: Int

    package init(_ kind: Kind, length: Int, wantsAcknowledgement: Bool = false) {
        self.kind = kind
        self.length = length
        self.wantsAcknowledgement = wantsAcknowledgement
    }

    /// - Throws: ``ProtocolError`` for what no frame of the version may begin with.
    init(_ word: UInt32, version: Int, maximumBytes: Int) throws(ProtocolError) {
        var (length, wish, number) = (word, false, Kind.package.rawValue)
        if version >= ProtocolVersion.second {
            length = word & (1 << Self.lengthBits - 1)
            wish = word & Self.wish != 0
            number = (word & ~Self.wish) >> Self.lengthBits
        }
        guard let kind = Kind(rawValue: number) else {
            throw ProtocolError(.unknownFrame, "a frame of the kind \(number); the highest is 2")
        }
        guard length > 0 else { throw ProtocolError(.emptyFrame, "a frame of no bytes") }
        guard length <= maximumBytes else {
            throw ProtocolError(.frameTooLong, "\(length) bytes; the limit is \(maximumBytes)")
        }
        self.init(kind, length: Int(length), wantsAcknowledgement: wish)
    }

    /// The four bytes, in the order of the machine.
    package var word: UInt32 {
        (wantsAcknowledgement ? Self.wish : 0) | kind.rawValue << Self.lengthBits | UInt32(length)
    }
}
