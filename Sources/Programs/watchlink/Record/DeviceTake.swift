import Cassettes
import Configuration
import DeviceControl
import Dispatch
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime

/// A recording of running devices, each into a cassette of its own, until a signal or for some time.
struct DeviceTake {
    private let devices: [CommandDevice]
    private let isNamed: Bool
    private let folder: String
    private let kept: [String]
    private let invocation: Invocation

    /// - Parameters:
    ///   - isNamed: True if the user named the devices: then each must run.
    ///   - folder: The absolute path of the directory of the cassettes.
    init(
        _ devices: [CommandDevice], named isNamed: Bool, folder: String, keeping kept: [String],
        _ invocation: Invocation
    ) {
        (self.devices, self.isNamed, self.folder) = (devices, isNamed, folder)
        (self.kept, self.invocation) = (kept, invocation)
    }

    func run(for limit: Duration?) throws -> ExitCode {
        Signals.hold()
        let ended = DispatchSemaphore(value: 0)
        let signals = Signals()
        signals.handle(on: .global()) { _ in ended.signal() }
        let recorded = try start()
        if let limit {
            _ = ended.wait(timeout: .now() + limit.inSeconds)
        } else {
            ended.wait()
        }
        let reports = recorded.map { device, path in (device, stop(device, path)) }
        try StandardOutput.print(
            invocation.wantsJSON
                ? try JSONValue.object(
                    Dictionary(reports.map { ($0.0.name, $0.1) }, uniquingKeysWith: { first, _ in first })
                ).text(pretty: true)
                : reports.map(Self.text).joined(separator: "\n"))
        return reports.allSatisfy { $0.1["complete"]?.boolean == true } ? .success : .failure
    }

    /// Starts the recordings; all that were started are stopped again if one cannot be.
    private func start() throws -> [(CommandDevice, String)] {
        var recorded: [(CommandDevice, String)] = []
        for device in devices {
            do {
                let answer = try invocation.ask(device, .startRecording(into: folder, keeping: kept))
                let path = answer["path"]?.string ?? folder
                note("recording the \(device.name) into \(path)")
                recorded.append((device, path))
            } catch let error as CommandError where !isNamed && error.code == .notRunning {
                note("\(error.message)")
            } catch {
                for (device, path) in recorded { _ = stop(device, path) }
                throw error
            }
        }
        if kept.contains(RedactionRules.everything) { note("warning: \(RedactionRules.everythingWarning)") }
        guard !recorded.isEmpty else { throw CommandError("no device is running: nothing was recorded", .notRunning) }
        note("end the recording with Ctrl-C")
        return recorded
    }

    private func stop(_ device: CommandDevice, _ path: String) -> JSONValue {
        do {
            return try invocation.ask(device, .stopRecording)
        } catch {
            // A device that ended has finished its cassette, unless it was killed; the cassette tells.
            return ["path": .string(path), "complete": .boolean(false), "reason": .string("\(error)")]
        }
    }

    private func note(_ text: String) {
        FileHandle.standardError.write(Data("watchlink record: \(text)\n".utf8))
    }

    private static func text(_ device: CommandDevice, _ report: JSONValue) -> String {
        let path = report["path"]?.string ?? ""
        guard report["complete"]?.boolean == true else {
            return "\(device.name): \(path) is not complete: \(report["reason"]?.string ?? "no reason is known")"
        }
        let unmatched = report["unmatched"]?.array?.compactMap(\.string) ?? []
        return
            (["\(device.name): \(path), \(report["events"]?.integer ?? 0) events"]
            + unmatched.map { "  \(CassetteCheck.note(unmatched: $0))" }).joined(separator: "\n")
    }
}
