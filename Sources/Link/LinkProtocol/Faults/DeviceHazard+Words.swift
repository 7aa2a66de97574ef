extension DeviceHazard {
    /// Those of some that a session brings, as `WATCHLINK_HAZARDS` takes them.
    package static func words(forSession hazards: some Sequence<DeviceHazard>) -> String {
        hazards.filter { ofSession.contains($0) }.map(\.rawValue).joined(separator: ",")
    }
}
