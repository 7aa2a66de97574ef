import Foundation
import Processes

/// Devices in real time: their programs are child processes.
package final class OwnProcesses: ScenarioProcesses {
    private struct Life {
        let process: BackgroundProcess
        /// True if it was killed or requested to end.
        var isEnded = false
    }

    /// The time a program may take to end when requested. 30 s: reached only by broken programs.
    private static let limit: DispatchTimeInterval = .seconds(30)

    /// 30 s: reached only by broken programs.
    package let patience: Duration = .seconds(30)
    package let isVirtual = false
    /// The environment of each program, beside its own variables.
    private let variables: [String: String]
    private let builds: (ScenarioDevice) -> [[String]]
    private let onLine: @Sendable (String) -> Void
    private var lives: [String: [Life]] = [:]

    /// - Parameters:
    ///   - variables: The environment of each program, beside its own variables.
    ///   - builds: Returns the builds of a device: its program with arguments, then the builds that replace it.
    ///   - onLine: Called with each output line, prefixed with the device's name.
    package init(
        variables: [String: String], builds: @escaping (ScenarioDevice) -> [[String]],
        onLine: @escaping @Sendable (String) -> Void
    ) {
        self.variables = variables
        (self.builds, self.onLine) = (builds, onLine)
    }

    package func start(_ device: ScenarioDevice, build: Int) throws {
        let builds = builds(device)
        guard builds.indices.contains(build), let program = builds[build].first else {
            throw TrialFailure("the \(device.name) has no program number \(build + 1)")
        }
        let isService = device.kind == .service
        let environment = ProcessInfo.processInfo.environment.merging(device.environment) { $1 }
            .merging(variables) { $1 }
        if !isService { try device.createHome() }
        let process = try BackgroundProcess(
            device.name, executable: URL(filePath: program),
            arguments: device.arguments(Array(builds[build].dropFirst())),
            environment: environment, directory: isService ? nil : URL(filePath: device.home), mergesOutput: !isService,
            onLine: { [onLine, name = device.name] in onLine("\(name) | \($0)") })
        lives[device.name, default: []].append(Life(process: process))
    }

    package func stop(_ device: ScenarioDevice) throws {
        guard let process = end(device) else { return }
        guard let code = process.stop(within: Self.limit) else {
            process.kill()
            throw TrialFailure("the \(device.name) did not end when requested")
        }
        // A program need not handle SIGTERM.
        guard code == 0 || (process.failure(wasRequested: true) == nil && device.kind == .program) else {
            throw TrialFailure("the \(device.name) ended with exit code \(code)")
        }
    }

    package func finish(_ devices: [ScenarioDevice]) {
        let processes = devices.compactMap(end)
        for process in processes { process.signal(SIGTERM) }
        // One that takes longer is killed with the others that still run.
        for process in processes { _ = process.wait(within: Self.limit) }
    }

    package func kill(_ device: ScenarioDevice) { end(device)?.kill() }

    /// Marks the running process as ended on request.
    private func end(_ device: ScenarioDevice) -> BackgroundProcess? {
        guard var life = lives[device.name]?.popLast() else { return nil }
        if !life.process.hasEnded { life.isEnded = true }
        lives[device.name]?.append(life)
        return life.isEnded ? life.process : nil
    }

    package func carryOut(_ deed: WorldDeed, on device: ScenarioDevice) throws {
        throw TrialFailure("“\(deed.text)” is available only in virtual time; use --virtual")
    }

    package func awaitControl(of device: ScenarioDevice) -> Bool {
        awaitLine(of: device, containing: "control listening", within: patience) && latest(device)?.hasEnded == false
    }

    package func awaitLine(of device: ScenarioDevice, containing text: String, within limit: Duration) -> Bool {
        latest(device)?.waitForLines(containing: text, within: .milliseconds(Int(limit / .milliseconds(1)))) ?? false
    }

    package func lines(of device: ScenarioDevice) -> [String] {
        (lives[device.name] ?? []).flatMap(\.process.lines)
    }

    package func failure(of device: ScenarioDevice) -> String? {
        (lives[device.name] ?? []).lazy.filter { !$0.isEnded }.compactMap { $0.process.failure() }.first
    }

    private func latest(_ device: ScenarioDevice) -> BackgroundProcess? { lives[device.name]?.last?.process }
}
