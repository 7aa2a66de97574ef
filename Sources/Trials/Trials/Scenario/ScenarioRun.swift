import Configuration
import ControlSocket
import DeviceControl
import DeviceShell
import EventLog
import Foundation
import LinkProtocol

/// Runs a scenario with devices, and compares the outcome with its expectations.
package final class ScenarioRun {
    /// The time an answer may take, and the time sent items may take to end. 60 s: some answers wait for a delivery.
    static let patience: Duration = .seconds(60)
    /// The size in bytes of the file that a step sends.
    private static let fileBytes = 200_000

    let scenario: Scenario
    let devices: [ScenarioDevice]
    let processes: any ScenarioProcesses
    private let seed: UInt64
    /// True if the devices are recorded.
    private let isRecorded: Bool
    private let file: String
    private let onEvent: (String) -> Void
    /// The devices that were started and not ended since.
    private var running: Set<String> = []
    /// The running devices that have not had a request yet.
    private var unasked: Set<String> = []
    /// The number of builds of a device that were replaced.
    private var upgrades: [String: Int] = [:]
    private(set) var accepted: [(device: ScenarioDevice, identifier: String)] = []
    private var identifiers: [String: UUID] = [:]

    /// - Parameters:
    ///   - isRecorded: True if the devices are recorded: at the end they are asked to end, and complete their cassettes.
    ///   - directory: The directory that the devices share.
    ///   - onEvent: Called with each event, in order.
    /// - Throws: ``TrialFailure`` if devices of their kind do not support a step or expectation.
    package init(
        _ scenario: Scenario, seed: UInt64, with devices: [ScenarioDevice], _ processes: any ScenarioProcesses,
        isRecorded: Bool = false, in directory: String, onEvent: @escaping (String) -> Void
    ) throws(TrialFailure) {
        (self.scenario, self.seed, self.devices, self.processes) = (scenario, seed, devices, processes)
        (self.isRecorded, self.file, self.onEvent) = (isRecorded, directory + "/file", onEvent)
        for device in devices { try scenario.check(for: device.kind, isVirtual: processes.isVirtual) }
    }

    /// - Parameter file: The file of the scenario.
    /// - Returns: Every expectation, with the actual state where it does not hold, or the step that failed.
    package func play(file: String) -> ScenarioOutcome {
        let start = ContinuousClock.now
        var checks: [ScenarioCheck]
        do {
            try playSteps()
            checks = try self.checks()
        } catch {
            checks = [ScenarioCheck("every step can be performed", "\(error)")]
        }
        checks += health()
        do { try end() } catch { checks.append(ScenarioCheck("all devices end", "\(error)")) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return ScenarioOutcome(scenario, file: file, checks: checks, seconds: seconds)
    }

    private func end() throws {
        let left = devices.reversed().filter { running.contains($0.name) }
        if isRecorded { try processes.finish(left) }
        for device in left { try processes.kill(device) }
    }

    private func playSteps() throws {
        if scenario.isStarted { for device in devices { try start(device) } }
        let start = ContinuousClock.now
        for (time, step) in scenario.timeline(seed: seed) {
            // The waits are the scenario's timeline itself.
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
            throw TrialFailure("device “\(name)” does not exist")
        }
        return device
    }

    // MARK: - Devices

    private func start(_ device: ScenarioDevice) throws {
        guard running.insert(device.name).inserted else { throw TrialFailure("it is already running") }
        let configuration = device.configuration(of: scenario, seed: seed)
        try Data(configuration.text().utf8).write(to: URL(filePath: device.configurationFile))
        try processes.start(device, build: upgrades[device.name, default: 0])
        unasked.insert(device.name)
        // Other programs activate their sessions when they choose.
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

    /// Sends a request to a device, and returns its answer.
    func call(_ device: ScenarioDevice, _ request: DeviceRequest) throws -> JSONValue {
        // An item that was being sent when the device died may be in flight: it is not sent twice.
        let isRepeatable = if case .send = request { false } else { true }
        return try call(device, request.method, request.params, isRepeatable: isRepeatable)
    }

    /// Calls a method of a device, and returns its answer. Waits for a device that is being restarted, by anybody.
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

    /// Waits until a device's session is activated: before, it accepts no actions. A program may never activate one.
    ///
    /// - Returns: False after a time-out.
    /// - Throws: ``TrialFailure`` with ``uncontrollable`` if the program has no control socket.
    private func awaitActivation(of device: ScenarioDevice) throws(TrialFailure) -> Bool {
        guard unasked.remove(device.name) != nil else { return true }
        let isActivated = processes.awaitLine(
            of: device, containing: LogEvent.sessionActivated.text, within: processes.patience)
        guard processes.awaitLine(of: device, containing: LogEvent.controlMissing.text, within: .zero) else {
            return isActivated
        }
        throw TrialFailure("the \(device.name)\(Self.uncontrollable): \(ControlNotLinked())")
    }

    /// The words by which the failure of a step tells that its device can take no orders, in any run.
    package static let uncontrollable = " cannot be controlled"

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
            // The device ends, or has ended by then.
            if case .crash = deed { running.remove(device.name) }
            try processes.carryOut(deed, on: device)
            return deed.text
        case .await(let text):
            guard processes.awaitLine(of: device, containing: text, within: processes.patience) else {
                throw TrialFailure(
                    "no line of its log contains “\(text)” after \(processes.patience), or it ended without one")
            }
            return text
        case .settle: try settle()
        }
        return ""
    }

    private func submit(_ count: Int, _ device: ScenarioDevice) throws -> String {
        let quizzes = TrialSubject.quizzes
        let request = JSONValue.object([quizzes.application: quizzes.documents(count)])
        let results = try call(device, "submit", request).array ?? []
        let taken = results.filter { $0["status"]?.string == "accepted" }.compactMap { $0["identifier"]?.string }
        accepted += taken.map { (device, $0) }
        return "\(taken.count) of \(count) accepted"
    }

    private func send(_ kind: SendDeed.Kind, _ count: Int, _ device: ScenarioDevice) throws -> String {
        var taken = 0
        // Written once: a transfer fails if its file changes.
        if kind == .file, !FileManager.default.fileExists(atPath: file),
            !FileManager.default.createFile(atPath: file, contents: Data(count: Self.fileBytes))
        {
            throw TrialFailure("\(file) cannot be written")
        }
        for number in 0..<count {
            guard let deed = SendDeed(kind, content: "\(kind.rawValue) \(number)", path: file) else {
                throw TrialFailure("“\(file)” is not an absolute path")
            }
            do {
                _ = try call(device, .send(deed, to: nil))
                taken += 1
            } catch ControlClient.Failure.refused(let error) {
                onEvent("\(device.name) send: refused: \(error.message)")
            }
        }
        return "\(kind.rawValue): \(taken) of \(count) accepted"
    }

    private func identifier(_ device: ScenarioDevice) throws -> UUID {
        if let known = identifiers[device.name] { return known }
        guard let identifier = try call(device, .status)["identifier"]?.string.flatMap(UUID.init(uuidString:)) else {
            throw TrialFailure("the \(device.name) did not report its identifier")
        }
        identifiers[device.name] = identifier
        return identifier
    }

    /// Waits until every quiz has ended, no transfer is pending, and the apps have received what arrived, except for
    /// programs that ended or never activate.
    private func settle() throws {
        for (device, quiz) in accepted { _ = try call(device, "wait", ["identifier": .string(quiz)]) }
        // What the last device has sent is content of the first.
        let end = ContinuousClock.now + Self.patience
        while try awaitTransfers(), .now < end {}
    }

    /// Returns false if no device had anything to do.
    private func awaitTransfers() throws -> Bool {
        var hasWaited = false
        for device in devices where running.contains(device.name) {
            guard try awaitActivation(of: device), processes.awaitControl(of: device) else { continue }
            let wait = TransferWait(of: device.name, within: Self.patience) { [self] in try call(device, $0) }
            if try wait.wait() { hasWaited = true }
        }
        return hasWaited
    }
}
