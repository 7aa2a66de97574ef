package import LinkProtocol

/// Makes pairing codes and recognises them.
package protocol PairingSecrets: Sendable {
    /// A new code, to be shown once, and what is kept of it.
    func make() throws -> (code: String, kept: PairingCode)

    func isRight(_ code: String, for kept: PairingCode) -> Bool
}
