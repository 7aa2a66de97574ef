import DeviceWorlds
import ExploreWords
import LinkProtocol
import Trials
import VirtualTime

/// The devices of an exploration and their trouble, as a script.
struct Scene {
    let devices: [SceneDevice]
    let hours: Double
    /// The most kills of each device by a seed that kills.
    let kills: Int
    /// The kinds of trouble that seeds can cause to the devices; each seed uses some of them.
    let hazards: [DeviceHazard]
    /// Further variables of each device.
    let variables: [String: String]
    /// True if packages that arrive at about the same time are delivered in any order.
    let reorders: Bool
    /// The recording of each device; nil for none.
    let recording: WorldRecording?

    /// The watches start shortly after the phone.
    private static let watchStart: Duration = .seconds(1)
    private var length: Duration { .milliseconds(Int64(hours * 3_600_000)) }

    /// Returns the script of a seed's world: the certain actions and the possible ones. In a recorded world all devices are
    /// asked to end, at the same time, as `watchlink run` ends them.
    func script(seed: UInt64) throws(ScriptError) -> Script {
        let (hazards, kills) = drawn(by: seed)
        let ends = recording == nil ? [] : devices.map { Script.Line(at: length, .end($0.name)) }
        return try Script(
            devices.flatMap { lines($0, hazards) } + ends,
            end: length + (recording == nil ? .zero : DirectedProcesses.completion),
            hazards: devices.map {
                Hazard(
                    $0.name, kills: kills, pause: Hazard.pause(in: length), until: length, bringing: hazards)
            })
    }

    /// Draws the trouble that a seed can cause: each kind with a probability of one half. Some failures need a certain
    /// kind, and others are hidden by any.
    private func drawn(by seed: UInt64) -> (hazards: [DeviceHazard], kills: Int) {
        var random = SeededGenerator(seed: seed)
        let some = hazards.filter { _ in random.happens(0.5) }
        return (some, random.happens(0.5) ? kills : 0)
    }

    /// Returns a device's starts, and the kills of its earlier builds.
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
            environment: [
                // The level that timelines and coverage need.
                "WATCHLINK_LOG_LEVEL": "debug",
                "WATCHLINK_HAZARDS": DeviceHazard.words(forSession: hazards),
            ].merging(device.role.variables(device.name)) { own, _ in own }.merging(variables) { $1 }
                .merging(reorders ? DeliveryReordering.variables : [:]) { $1 }
                .merging(recording?.variables ?? [:]) { $1 })
    }
}
