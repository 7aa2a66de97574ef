import DeviceWorlds
import ExploreWords
import LinkProtocol
import VirtualTime

/// Devices and what may be done to them: a script.
struct Scene {
    let devices: [SceneDevice]
    let hours: Double
    /// How often a seed that kills does so to each device, at most.
    let kills: Int
    /// The trouble that seeds may bring to the devices; each seed has some of it.
    let hazards: [DeviceHazard]

    /// The watches are switched on a moment after the phone.
    private static let watchStart: Duration = .seconds(1)
    private var length: Duration { .milliseconds(Int64(hours * 3_600_000)) }

    /// What is done in each seed's world for certain, and what its decisions may do.
    func script(seed: UInt64) throws(ScriptError) -> Script {
        let (hazards, kills) = drawn(by: seed)
        return try Script(
            devices.flatMap { lines($0, hazards) }, end: length,
            hazards: devices.map { Hazard($0.name, kills: kills, pause: Hazard.pause(in: length), bringing: hazards) })
    }

    /// What a seed may bring at all: each hazard with one half. Some failures need a certain trouble, and others are hidden by any.
    private func drawn(by seed: UInt64) -> (hazards: [DeviceHazard], kills: Int) {
        var random = SeededGenerator(seed: seed)
        let some = hazards.filter { _ in random.happens(0.5) }
        return (some, random.happens(0.5) ? kills : 0)
    }

    /// A device's starts, and the ends of its former builds.
    private func lines(_ device: SceneDevice, _ hazards: [DeviceHazard]) -> [Script.Line] {
        let start = device.role == .host ? .zero : Self.watchStart
        return [.init(at: start, .start(program(device, device.build, hazards)))]
            + device.upgrades.flatMap { upgrade -> [Script.Line] in
                let time = upgrade.time ?? .zero
                return [
                    .init(at: time, .kill(device.name)),
                    .init(at: time + SceneDevice.installation, .start(program(device, upgrade.build, hazards))),
                ]
            }
    }

    private func program(
        _ device: SceneDevice, _ build: SceneDevice.Build, _ hazards: [DeviceHazard]
    ) -> Program {
        Program(
            name: device.name, executable: build.program, arguments: build.arguments,
            environment: device.role.variables(device.name).merging([
                // What timelines are drawn of, and what tells one seed from another.
                "WATCHLINK_LOG_LEVEL": "debug",
                "WATCHLINK_HAZARDS": DeviceHazard.words(forSession: hazards),
            ]) { $1 })
    }
}
