extension DeviceProcess {
    /// The process's part in the report of a failed wait.
    var evidence: DeviceEvidence {
        DeviceEvidence(
            name: role == .host ? "phone" : "watch", role: role, lines: lines, ledger: Result { try ledger() })
    }
}
