import DeviceShell

extension Set<Hint> {
    /// The variables that make these hints failures of a device.
    package var variables: [String: String] {
        isEmpty ? [:] : ["WATCHLINK_HINTS": map(\.word).sorted().joined(separator: ",")]
    }
}
