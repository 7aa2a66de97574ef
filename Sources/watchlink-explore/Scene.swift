import DeviceWorlds
import ExploreWords
import LinkProtocol
import VirtualTime

/// Devices and what may be done to them: a script.
struct Scene {
    let devices: [SceneDevice]
    let hours: Double
    /// How often a seed kills each device, at most.
    let kills: Int
    /// The trouble that a seed may bring to each device.
    let hazards: [DeviceHazard]

    /// The watches are switched on a moment after the phone.
    private static let watchStart: Duration = .seconds(1)
    private var length: Duration { .milliseconds(Int64(hours * 3_600_000)) }

    /// What is done in each seed's world for certain, and what its decisions may do.
    func script() throws(ScriptError) -> Script {
        try Script(
            devices.flatMap(lines), end: length,
            hazards: devices.map { Hazard($0.name, kills: kills, pause: Hazard.pause(in: length), bringing: hazards) })
    }

    /// A device's starts, and the ends of its former builds.
    private func lines(_ device: SceneDevice) -> [Script.Line] {
        let start = device.role == .host ? .zero : Self.watchStart
        return [.init(at: start, .start(program(device, device.build)))]
            + device.upgrades.flatMap { upgrade -> [Script.Line] in
                let time = upgrade.time ?? .zero
                return [
                    .init(at: time, .kill(device.name)),
                    .init(at: time + SceneDevice.installation, .start(program(device, upgrade.build))),
                ]
            }
    }

    private func program(_ device: SceneDevice, _ build: SceneDevice.Build) -> Program {
        Program(
            name: device.name, executable: build.program, arguments: build.arguments,
            environment: [
                "WATCHLINK_ROLE": device.role.rawValue, "WATCHLINK_SOCKET": "\(Program.directoryMark)/link",
                "WATCHLINK_DEVICE_STATE": "\(Program.directoryMark)/\(device.name)/state",
                // What timelines are drawn of, and what tells one seed from another.
                "WATCHLINK_LOG_LEVEL": "debug",
                "WATCHLINK_HAZARDS": DeviceHazard.words(forSession: hazards),
            ])
    }
}
