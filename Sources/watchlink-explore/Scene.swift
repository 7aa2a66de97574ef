import Foundation
import LinkProtocol
import VirtualTime

/// Two devices and what a seed does to them: a script.
struct Scene {
    let phone: [String]
    let watch: [String]
    let hours: Double
    /// How often a seed kills each device, at most.
    let kills: Int

    /// The watch is switched on a moment after the phone.
    private static let watchStart: Duration = .seconds(1)
    /// Between a kill and the next start: up to two minutes.
    private static let pause = 1...120_000

    private var milliseconds: Int64 { Int64(hours * 3_600_000) }
    private var length: Duration { .milliseconds(milliseconds) }

    /// What is done in a seed's world. It depends on nothing but the scene and the seed.
    func script(seed: UInt64) throws(ScriptError) -> Script {
        var lines: [Script.Line] = []
        for (device, isPhone) in [
            (program("phone", "host", phone), true), (program("watch", "companion", watch), false),
        ] {
            let start: Duration = isPhone ? .zero : Self.watchStart
            lines.append(.init(at: start, .start(device)))
            // The two devices have draws of their own.
            var generator = SeededGenerator(seed: seed &* 2 &+ (isPhone ? 0 : 1))
            lines += interruptions(of: device, from: start, &generator)
        }
        return try Script(lines, end: length)
    }

    /// Kills and restarts, one after the other, within the scene.
    private func interruptions(
        of device: Program, from start: Duration, _ generator: inout SeededGenerator
    ) -> [Script.Line] {
        guard kills > 0 else { return [] }
        var times: [Duration] = []
        for _ in 0..<Int.random(in: 0...kills, using: &generator) {
            times.append(.milliseconds(Int64.random(in: 0..<max(1, milliseconds), using: &generator)))
        }
        var lines: [Script.Line] = []
        var free = start
        for time in times.sorted() {
            let restart = time + .milliseconds(Int.random(in: Self.pause, using: &generator))
            // Before it is up again, or with nobody left to start it, it is not killed.
            guard time > free, restart < length else { continue }
            lines += [.init(at: time, .kill(device.name)), .init(at: restart, .start(device))]
            free = restart
        }
        return lines
    }

    private func program(_ name: String, _ role: String, _ words: [String]) -> Program {
        Program(
            name: name, executable: words.first ?? "", arguments: Array(words.dropFirst()),
            environment: [
                "WATCHLINK_ROLE": role, "WATCHLINK_SOCKET": "\(Program.directoryMark)/link",
                "WATCHLINK_DEVICE_STATE": "\(Program.directoryMark)/\(name)/state",
                // What timelines are drawn of, and what tells one seed from another.
                "WATCHLINK_LOG_LEVEL": "debug",
                // Its report takes some seconds of real time, and needs what is not in a world.
                "SWIFT_BACKTRACE": "enable=no",
            ])
    }
}
