package import LinkProtocol

/// A type that creates and verifies pairing codes.
package protocol PairingSecrets: Sendable {
    /// Returns a new code, to be shown once, and the form in which it is stored.
    func make() throws -> (code: String, kept: PairingCode)

    func isRight(_ code: String, for kept: PairingCode) -> Bool
}
