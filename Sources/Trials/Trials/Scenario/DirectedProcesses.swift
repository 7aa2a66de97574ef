import ControlSocket
import Foundation

/// Devices in virtual time: the conductor starts and kills their programs on request, and records their output.
///
/// Hazards may also kill a program and start it again; the request is then repeated.
package final class DirectedProcesses: ScenarioProcesses {
    /// The time a program may take to end when requested. 30 s: reached only by broken programs.
    private static let limit: Duration = .seconds(30)
    /// The virtual time in which recorded devices complete their cassettes, at the end of a world. 1 s: a recorder writes
    /// what it has collected at once.
    package static let completion: Duration = .seconds(1)
    /// The polling interval in seconds of virtual time. 0.01: few polls per message, many per second.
    private static let interval = 0.01
    /// The files of a program's start.
    private static let streams = ["output", "errors"]

    /// 5 minutes: a hazard keeps a device away for at most two.
    package let patience: Duration = .seconds(300)
    package let isVirtual = true
    private let directory: String
    private let direct: (String) throws -> Void

    /// - Parameters:
    ///   - directory: The directory that the devices share.
    ///   - direct: Requests the start, kill or end of a program: “start phone 2”, “kill phone”, “end phone”.
    package init(in directory: String, direct: @escaping (String) throws -> Void) {
        (self.directory, self.direct) = (directory, direct)
    }

    package func start(_ device: ScenarioDevice, build: Int) throws {
        // A hazard may have restarted it after the scenario ended it.
        try direct("kill \(device.name)")
        try direct("start \(device.name) \(build + 1)")
        waitForConductor()
    }

    package func stop(_ device: ScenarioDevice) throws {
        try direct("end \(device.name)")
        guard waitUntil(within: Self.limit, { !isListening(device) }) else {
            throw TrialFailure("the \(device.name) did not end when requested")
        }
    }

    package func finish(_ devices: [ScenarioDevice]) throws {
        for device in devices { try direct("end \(device.name)") }
        Thread.sleep(forTimeInterval: Self.completion / .seconds(1))
    }

    package func kill(_ device: ScenarioDevice) throws {
        try direct("kill \(device.name)")
        waitForConductor()
    }

    package func carryOut(_ deed: WorldDeed, on device: ScenarioDevice) throws {
        switch deed {
        case .crash(let step): try direct("crash \(device.name) \(step)")
        case .clock(let seconds): try direct("clock \(device.name) \(seconds)")
        case .storage(let isFull): try direct("disk \(device.name) \(isFull ? "full" : "good")")
        }
        waitForConductor()
    }

    package func awaitControl(of device: ScenarioDevice) -> Bool {
        waitUntil(within: patience) { isListening(device) }
    }

    package func awaitLine(of device: ScenarioDevice, containing text: String, within limit: Duration) -> Bool {
        // Only what is new since the last look is searched: a log has megabytes, and looks are frequent.
        var searched: [String: UInt64] = [:]
        return waitUntil(within: limit) {
            lives(of: device).suffix(1).contains { life in
                Self.streams.contains { hasNew(text, in: file(device, life, $0), &searched) }
            }
        }
    }

    /// Searches the rest of a file for a text, with as much before it as a part of the text can have.
    private func hasNew(_ text: String, in path: String, _ searched: inout [String: UInt64]) -> Bool {
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            let start = searched[path] ?? 0
            try file.seek(toOffset: start - min(start, UInt64(text.utf8.count)))
            let data = try file.readToEnd() ?? Data()
            searched[path] = try file.offset()
            return data.range(of: Data(text.utf8)) != nil
        } catch {
            // A program that has not started yet has no files.
            return false
        }
    }

    package func lines(of device: ScenarioDevice) -> [String] { text(of: device, lives(of: device)) }

    package func failure(of device: ScenarioDevice) -> String? { nil }

    /// Waits until the request has been carried out: it happens when this program waits next. Before that, it would
    /// talk to a device that is about to end.
    private func waitForConductor() { Thread.sleep(forTimeInterval: Self.interval) }

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

    /// Returns the numbers of its starts so far; each start has its own files.
    private func lives(of device: ScenarioDevice) -> Range<Int> {
        var next = 1
        while FileManager.default.fileExists(atPath: file(device, next, "errors")) { next += 1 }
        return 1..<next
    }

    private func text(of device: ScenarioDevice, _ lives: Range<Int>) -> [String] {
        lives.flatMap { life in
            Self.streams.flatMap { stream -> [String] in
                let data = FileManager.default.contents(atPath: file(device, life, stream)) ?? Data()
                return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            }
        }
    }

    private func file(_ device: ScenarioDevice, _ life: Int, _ stream: String) -> String {
        "\(directory)/\(device.name)-\(life).\(stream)"
    }
}
