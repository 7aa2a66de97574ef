import ControlSocket
import Foundation

/// Devices in virtual time: somebody else starts and kills their programs, as this one asks for, and writes down what they say.
///
/// Hazards may kill a program, too, and start it again: it is asked again then.
package final class DirectedProcesses: ScenarioProcesses {
    /// How long a program may take to end when it is asked to. 30 s: reached only by what is broken.
    private static let limit: Duration = .seconds(30)
    /// Between two looks, in seconds of virtual time. 0.01: few in a message's way, and many in a second.
    private static let interval = 0.01

    /// 5 minutes: a hazard keeps a device away for two at most.
    package let patience: Duration = .seconds(300)
    package let isVirtual = true
    private let directory: String
    private let direct: (String) throws -> Void

    /// - Parameters:
    ///   - directory: What the devices share.
    ///   - direct: Has a program started, killed or asked to end: “start phone 2”, “kill phone”, “end phone”.
    package init(in directory: String, direct: @escaping (String) throws -> Void) {
        (self.directory, self.direct) = (directory, direct)
    }

    package func start(_ device: ScenarioDevice, build: Int) throws {
        // A hazard may have started it again, after the scenario had ended it.
        try direct("kill \(device.name)")
        try direct("start \(device.name) \(build + 1)")
        letThemDoIt()
    }

    package func stop(_ device: ScenarioDevice) throws {
        try direct("end \(device.name)")
        guard waitUntil(within: Self.limit, { !isListening(device) }) else {
            throw TrialFailure("the \(device.name) does not end when it is asked to")
        }
    }

    package func kill(_ device: ScenarioDevice) throws {
        try direct("kill \(device.name)")
        letThemDoIt()
    }

    package func carryOut(_ deed: WorldDeed, on device: ScenarioDevice) throws {
        switch deed {
        case .crash(let step): try direct("crash \(device.name) \(step)")
        case .clock(let seconds): try direct("clock \(device.name) \(seconds)")
        case .storage(let isFull): try direct("disk \(device.name) \(isFull ? "full" : "good")")
        }
        letThemDoIt()
    }

    package func awaitControl(of device: ScenarioDevice) -> Bool {
        waitUntil(within: patience) { isListening(device) }
    }

    package func awaitLine(of device: ScenarioDevice, containing text: String, within limit: Duration) -> Bool {
        waitUntil(within: limit) {
            self.text(of: device, lives(of: device).suffix(1)).contains { $0.contains(text) }
        }
    }

    package func lines(of device: ScenarioDevice) -> [String] { text(of: device, lives(of: device)) }

    package func failure(of device: ScenarioDevice) -> String? { nil }

    /// What was asked for is done when this program waits next: before, it would talk with a device that is about to go.
    private func letThemDoIt() { Thread.sleep(forTimeInterval: Self.interval) }

    private func isListening(_ device: ScenarioDevice) -> Bool {
        do throws(ControlClient.Failure) {
            _ = try ControlClient(path: device.controlSocket)
            return true
        } catch {
            return false
        }
    }

    private func waitUntil(within limit: Duration, _ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        while true {
            if condition() { return true }
            if end <= .now { return false }
            Thread.sleep(forTimeInterval: Self.interval)
        }
    }

    /// The numbers of its starts so far. Each has written its own files.
    private func lives(of device: ScenarioDevice) -> Range<Int> {
        var next = 1
        while FileManager.default.fileExists(atPath: file(device, next, "errors")) { next += 1 }
        return 1..<next
    }

    private func text(of device: ScenarioDevice, _ lives: Range<Int>) -> [String] {
        lives.flatMap { life in
            ["output", "errors"].flatMap { stream -> [String] in
                let data = FileManager.default.contents(atPath: file(device, life, stream)) ?? Data()
                return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            }
        }
    }

    private func file(_ device: ScenarioDevice, _ life: Int, _ stream: String) -> String {
        "\(directory)/\(device.name)-\(life).\(stream)"
    }
}
