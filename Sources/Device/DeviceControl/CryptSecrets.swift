import CCrypt
import DeviceShell
import Foundation
import LinkProtocol

/// A creator and verifier of pairing codes, based on the system's salted hashes: crypt(3).
struct CryptSecrets: PairingSecrets {
    struct Failed: Error, CustomStringConvertible {
        var description: String { "the system's crypt(3) returned no hash; check that libcrypt is complete" }
    }

    /// SHA-512 with 5,000 rounds. A check takes a few milliseconds on the event loop, at most five times per code.
    private static let method = "$6$"

    func make() throws -> (code: String, kept: PairingCode) {
        let code = (0..<PairingCode.digits).map { _ in String(Int.random(in: 0...9)) }.joined()
        guard let salt = crypt_gensalt(Self.method, 0, nil, 0).map({ String(cString: $0) }),
            let hash = Self.hash(code, salt)
        else { throw Failed() }
        return (code, PairingCode(hash: hash))
    }

    func isRight(_ code: String, for kept: PairingCode) -> Bool {
        // The hash starts with its method and salt. Spaces are ignored: people group long numbers with them.
        Self.hash(code.filter { $0 != " " }, kept.hash) == kept.hash
    }

    private static func hash(_ code: String, _ setting: String) -> String? {
        let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
        defer { data.deallocate() }
        data.initialize(to: crypt_data())
        // crypt(3) reports a failure as a string that starts with “*”.
        return crypt_r(code, setting, data).map { String(cString: $0) }.flatMap { $0.hasPrefix("*") ? nil : $0 }
    }
}
