package import Foundation

extension UUID {
    /// The counterpart whose identifier does not matter, or is not known yet: a watch's phone, a phone's first watch.
    package static let unknownPeer = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Nil for ``unknownPeer``.
    package var known: UUID? { self == .unknownPeer ? nil : self }
}
