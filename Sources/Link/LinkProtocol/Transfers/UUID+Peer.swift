package import Foundation

extension UUID {
    /// The counterpart whose identifier is irrelevant or not yet known: a watch's phone, a phone's first watch.
    package static let unknownPeer = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The identifier; nil for ``unknownPeer``.
    package var known: UUID? { self == .unknownPeer ? nil : self }
}
