import Configuration
import ControlSocket
import DeviceControl
import DeviceShell
import EventLog
import Foundation
import LinkProtocol

/// Plays a scenario with devices, and compares what came of it with what it states.
package final class ScenarioRun {
    /// How long an answer may take, and what was sent until it has its end. 60 s: some wait for a delivery.
    static let patience: Duration = .seconds(60)
    /// Bytes of the file that a step sends.
    private static let fileBytes = 200_000

    let scenario: Scenario
    let devices: [ScenarioDevice]
    let processes: any ScenarioProcesses
    private let seed: UInt64
    private let file: String
    private let onEvent: (String) -> Void
    /// Those that were started and not ended again.
    private var running: Set<String> = []
    /// Those of them that have not been asked for anything yet.
    private var unasked: Set<String> = []
    /// How many builds of a device were taken out of service.
    private var upgrades: [String: Int] = [:]
    private(set) var accepted: [(device: ScenarioDevice, identifier: String)] = []
    private var identifiers: [String: UUID] = [:]

    /// - Parameters:
    ///   - directory: What the devices share.
    ///   - onEvent: Called with what happens, in its order.
    /// - Throws: ``TrialFailure`` if devices of their kind cannot do what the scenario says.
    package init(
        _ scenario: Scenario, seed: UInt64, with devices: [ScenarioDevice], _ processes: any ScenarioProcesses,
        in directory: String, onEvent: @escaping (String) -> Void
    ) throws(TrialFailure) {
        (self.scenario, self.seed, self.devices, self.processes) = (scenario, seed, devices, processes)
        (self.file, self.onEvent) = (directory + "/file", onEvent)
        for device in devices { try scenario.check(for: device.kind, isVirtual: processes.isVirtual) }
    }

    /// - Parameter file: The scenario's.
    /// - Returns: Every expectation, and what is so instead; or the step that could not be done.
    package func play(file: String) -> ScenarioOutcome {
        let start = ContinuousClock.now
        var checks: [ScenarioCheck]
        do {
            try playSteps()
            checks = try self.checks()
        } catch {
            checks = [ScenarioCheck("every step can be done", "\(error)")]
        }
        checks += health()
        for device in devices.reversed() where running.contains(device.name) {
            do { try processes.kill(device) } catch { checks.append(ScenarioCheck("all devices end", "\(error)")) }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return ScenarioOutcome(scenario, file: file, checks: checks, seconds: seconds)
    }

    private func playSteps() throws {
        if scenario.isStarted { for device in devices { try start(device) } }
        let start = ContinuousClock.now
        for (time, step) in scenario.timeline(seed: seed) {
            // The timeline is the scenario's own: it is what is waited for.
            let rest = start + .seconds(time) - .now
            if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
            do {
                let outcome = try perform(step, on: try device(step.device))
                onEvent("\(step.device) \(step.name)\(outcome.isEmpty ? "" : ": \(outcome)")")
            } catch {
                throw TrialFailure("step “\(step.name)” on the \(step.device) failed: \(error)")
            }
        }
    }

    func device(_ name: String) throws(TrialFailure) -> ScenarioDevice {
        guard let device = devices.first(where: { $0.name == name }) else {
            throw TrialFailure("there is no device “\(name)”")
        }
        return device
    }

    // MARK: - Devices

    private func start(_ device: ScenarioDevice) throws {
        guard running.insert(device.name).inserted else { throw TrialFailure("it runs already") }
        let configuration = device.configuration(of: scenario, seed: seed)
        try Data(configuration.text().utf8).write(to: URL(filePath: device.configurationFile))
        try processes.start(device, build: upgrades[device.name, default: 0])
        unasked.insert(device.name)
        // A program of others has its session activated when it wants.
        guard device.kind == .service,
            !processes.awaitLine(of: device, containing: "\(device.role.rawValue): ready", within: processes.patience)
        else { return }
        let lines = processes.lines(of: device).suffix(3)
        throw TrialFailure("it does not start: \(lines.joined(separator: "; "))")
    }

    private func kill(_ device: ScenarioDevice) throws {
        running.remove(device.name)
        try processes.kill(device)
    }

    /// A device's answer.
    func call(_ device: ScenarioDevice, _ request: DeviceRequest) throws -> JSONValue {
        // What was being sent when the device died may be on its way: it is not sent twice.
        let isRepeatable = if case .send = request { false } else { true }
        return try call(device, request.method, request.params, isRepeatable: isRepeatable)
    }

    /// A device's answer. One that is being started again, by whomever, is waited for.
    func call(
        _ device: ScenarioDevice, _ method: String, _ params: JSONValue = .object([:]), isRepeatable: Bool = true
    ) throws -> JSONValue {
        _ = try awaitActivation(of: device)
        let end = ContinuousClock.now + processes.patience
        while true {
            do throws(ControlClient.Failure) {
                return try ControlClient(path: device.controlSocket, timeout: Self.patience).call(method, params)
            } catch {
                let isWaitedFor =
                    switch error {
                    case .notRunning: true
                    case .connection, .protocolViolation: isRepeatable
                    case .notAnswering, .late, .notAllowed, .refused: false
                    }
                guard isWaitedFor, running.contains(device.name), .now < end, processes.awaitControl(of: device)
                else { throw error }
            }
        }
    }

    /// A device answers before its session is activated, when nothing can be done to it; a program may also never activate one.
    ///
    /// - Returns: False if it was waited for in vain.
    /// - Throws: If it is a program that nobody can ask anything.
    private func awaitActivation(of device: ScenarioDevice) throws(TrialFailure) -> Bool {
        guard unasked.remove(device.name) != nil else { return true }
        let isActivated = processes.awaitLine(
            of: device, containing: LogEvent.sessionActivated.text, within: processes.patience)
        guard processes.awaitLine(of: device, containing: LogEvent.controlMissing.text, within: .zero) else {
            return isActivated
        }
        throw TrialFailure("the \(device.name) cannot be told what to do: \(ControlNotLinked())")
    }

    // MARK: - Steps

    private func perform(_ step: ScenarioStep, on device: ScenarioDevice) throws -> String {
        switch step.deed {
        case .submit(let count): return try submit(count, device)
        case .send(let kind, let count): return try send(kind, count, device)
        case .device(let deed):
            _ = try call(device, .device(deed))
            return deed.rawValue
        case .condition(let condition):
            let status = try call(device, .condition(condition, for: nil))
            return status["condition"]?.string ?? ""
        case .fault(let deed):
            _ = try call(device, .fault(deed))
            return deed.words.joined(separator: " ")
        case .watch(let change, let number):
            let watch = devices[number]
            _ = try call(devices[0], .watch(WatchDeed(change, of: try identifier(watch))))
            if case .complication(let isEnabled) = change { return "\(watch.name) \(isEnabled ? "on" : "off")" }
            return watch.name
        case .start: try start(device)
        case .stop:
            running.remove(device.name)
            try processes.stop(device)
        case .kill: try kill(device)
        case .upgrade:
            try kill(device)
            upgrades[device.name, default: 0] += 1
            try start(device)
        case .world(let deed):
            // It ends, or has ended by then.
            if case .crash = deed { running.remove(device.name) }
            try processes.carryOut(deed, on: device)
            return deed.text
        case .await(let text):
            guard processes.awaitLine(of: device, containing: text, within: processes.patience) else {
                throw TrialFailure(
                    "no line of its log holds “\(text)” after \(processes.patience), or it ended without")
            }
            return text
        case .settle: try settle()
        }
        return ""
    }

    private func submit(_ count: Int, _ device: ScenarioDevice) throws -> String {
        let quizzes = (0..<count).map { _ in TrialServices.quiz() }
        let results = try call(device, "submit", ["quizzes": .array(quizzes)]).array ?? []
        let taken = results.filter { $0["status"]?.string == "accepted" }.compactMap { $0["identifier"]?.string }
        accepted += taken.map { (device, $0) }
        return "\(taken.count) of \(count) accepted"
    }

    private func send(_ kind: SendDeed.Kind, _ count: Int, _ device: ScenarioDevice) throws -> String {
        var taken = 0
        // Written once: a file that changes while it is sent cannot arrive.
        if kind == .file, !FileManager.default.fileExists(atPath: file),
            !FileManager.default.createFile(atPath: file, contents: Data(count: Self.fileBytes))
        {
            throw TrialFailure("\(file) cannot be written")
        }
        for number in 0..<count {
            guard let deed = SendDeed(kind, content: "\(kind.rawValue) \(number)", path: file) else {
                throw TrialFailure("\(file) is no absolute path")
            }
            do {
                _ = try call(device, .send(deed, to: nil))
                taken += 1
            } catch ControlClient.Failure.refused(let error) {
                onEvent("\(device.name) send: refused: \(error.message)")
            }
        }
        return "\(taken) of \(count) \(kind.rawValue) taken"
    }

    private func identifier(_ device: ScenarioDevice) throws -> UUID {
        if let known = identifiers[device.name] { return known }
        guard let identifier = try call(device, .status)["identifier"]?.string.flatMap(UUID.init(uuidString:)) else {
            throw TrialFailure("the \(device.name) does not say who it is")
        }
        identifiers[device.name] = identifier
        return identifier
    }

    /// Waits until every quiz has its end, and no transfer waits. A program that has ended, or never activates its session, has none to wait for.
    private func settle() throws {
        for (device, quiz) in accepted { _ = try call(device, "wait", ["identifier": .string(quiz)]) }
        for device in devices where running.contains(device.name) {
            guard try awaitActivation(of: device), processes.awaitControl(of: device) else { continue }
            try TransferWait(of: device.name, within: Self.patience) { [self] in try call(device, $0) }.wait()
        }
    }
}
