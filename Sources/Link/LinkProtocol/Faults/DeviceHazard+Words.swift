extension DeviceHazard {
    /// Those of some that a session brings, as `WATCHLINK_HAZARDS` takes them.
    package static func words(forSession hazards: some Sequence<DeviceHazard>) -> String {
        ofSession.filter(Set(hazards).contains).map(\.rawValue).joined(separator: ",")
    }
}
