import LinkProtocol
import VirtualTime

/// Two devices and what may be done to them: a script.
struct Scene {
    let phone: [String]
    let watch: [String]
    let hours: Double
    /// How often a seed kills each device, at most.
    let kills: Int
    /// The trouble that a seed may bring to each device.
    let hazards: [DeviceHazard]

    /// The watch is switched on a moment after the phone.
    private static let watchStart: Duration = .seconds(1)
    private var length: Duration { .milliseconds(Int64(hours * 3_600_000)) }

    /// What is done in each seed's world for certain, and what its decisions may do.
    func script() throws(ScriptError) -> Script {
        let devices = [program("phone", "host", phone), program("watch", "companion", watch)]
        return try Script(
            zip([.zero, Self.watchStart], devices).map { Script.Line(at: $0, .start($1)) }, end: length,
            hazards: devices.map { Hazard($0.name, kills: kills, pause: pause) })
    }

    /// A short scene has short absences.
    private var pause: ClosedRange<Duration> {
        let usual = Hazard.usualPause
        let longest = max(usual.lowerBound, min(usual.upperBound, length / 2))
        return usual.lowerBound...longest
    }

    private func program(_ name: String, _ role: String, _ words: [String]) -> Program {
        Program(
            name: name, executable: words.first ?? "", arguments: Array(words.dropFirst()),
            environment: [
                "WATCHLINK_ROLE": role, "WATCHLINK_SOCKET": "\(Program.directoryMark)/link",
                "WATCHLINK_DEVICE_STATE": "\(Program.directoryMark)/\(name)/state",
                // What timelines are drawn of, and what tells one seed from another.
                "WATCHLINK_LOG_LEVEL": "debug",
                "WATCHLINK_HAZARDS": hazards.map(\.rawValue).joined(separator: ","),
            ])
    }
}
