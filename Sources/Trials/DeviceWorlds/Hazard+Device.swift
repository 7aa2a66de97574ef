package import LinkProtocol
package import VirtualTime

extension Hazard {
    /// 2: once, and once more when the app believes that it has got over it.
    private static let fills = 2
    /// 3: forward, back, and somewhere else.
    private static let jumps = 3

    /// What may be done to a device and its program, of the trouble that was asked for.
    package init(
        _ name: String, kills: Int, pause: ClosedRange<Duration>, until: Duration? = nil,
        bringing hazards: some Sequence<DeviceHazard>
    ) {
        let hazards = Set(hazards)
        self.init(
            name, kills: kills, pause: pause, until: until, diskFills: hazards.contains(.disk) ? Self.fills : 0,
            clockJumps: hazards.contains(.clock) ? Self.jumps : 0)
    }

    /// How long a device is away that lives for so long: a short life has short absences.
    package static func pause(in length: Duration) -> ClosedRange<Duration> {
        let longest = max(usualPause.lowerBound, min(usualPause.upperBound, length / 2))
        return usualPause.lowerBound...longest
    }
}
