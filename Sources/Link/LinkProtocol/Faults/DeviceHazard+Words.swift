extension DeviceHazard {
    /// Returns the hazards caused by a session, as `WATCHLINK_HAZARDS` expects them.
    package static func words(forSession hazards: some Sequence<DeviceHazard>) -> String {
        ofSession.filter(Set(hazards).contains).map(\.rawValue).joined(separator: ",")
    }
}
