package import LinkProtocol
package import VirtualTime

extension Hazard {
    /// 2: once, and again when the app believes that it has recovered.
    private static let fills = 2
    /// 3: forward, back, and once more.
    private static let jumps = 3

    /// Creates the hazard of a device and its program from the requested kinds of trouble.
    package init(
        _ name: String, kills: Int, pause: ClosedRange<Duration>, until: Duration? = nil,
        bringing hazards: some Sequence<DeviceHazard>
    ) {
        let hazards = Set(hazards)
        self.init(
            name, kills: kills, pause: pause, until: until, diskFills: hazards.contains(.disk) ? Self.fills : 0,
            clockJumps: hazards.contains(.clock) ? Self.jumps : 0, cutsPower: hazards.contains(.power))
    }

    /// Returns the range of absences in a run of this length: short runs have short absences.
    package static func pause(in length: Duration) -> ClosedRange<Duration> {
        let longest = max(usualPause.lowerBound, min(usualPause.upperBound, length / 2))
        return usualPause.lowerBound...longest
    }
}
