extension Outcome {
    /// A fingerprint of all decisions, of which there may be millions: worlds with the same fingerprint took the same
    /// decisions.
    var fingerprint: String {
        var fingerprint = Fingerprint()
        let words = decisions.flatMap { [UInt64($0.kind.rawValue), UInt64($0.options) << 32 | UInt64($0.taken)] }
        words.withUnsafeBytes { fingerprint.add($0) }
        return fingerprint.text
    }
}
