package import Foundation
import LinkProtocol
import ServiceRuntime

/// Plays a scenario with the real services, and compares what came of it with what it states.
package final class ScenarioRun {
    /// One thing that was to be so.
    package struct Check: Sendable {
        package let name: String
        /// What is so instead; nil if it holds.
        package let failure: String?

        package init(name: String, failure: String?) {
            self.name = name
            self.failure = failure
        }
    }

    /// Bytes of the file that a step sends.
    private static let fileBytes = 200_000

    private let scenario: Scenario
    private let seed: UInt64
    private let services: TrialServices
    private let directory: URL
    private let onEvent: @Sendable (String) -> Void
    private var accepted: [(device: String, identifier: String)] = []
    private var identifiers: [String: String] = [:]
    private var lines: [String: [String]] = [:]

    /// - Parameters:
    ///   - onEvent: Called with what happens, in its order.
    ///   - onLine: Called with each line of the services' logs.
    package init(
        _ scenario: Scenario, seed: UInt64, in directory: URL, onEvent: @escaping @Sendable (String) -> Void,
        onLine: @escaping @Sendable (String) -> Void
    ) throws {
        self.scenario = scenario
        self.seed = seed
        self.directory = directory
        self.onEvent = onEvent
        services = try TrialServices(in: directory, programs: TrialServices.ownPrograms, onLine: onLine)
    }

    /// - Returns: Every expectation, and whether it holds.
    /// - Throws: ``TrialFailure`` if a step cannot be done.
    package func play() throws -> [Check] {
        defer { for device in scenario.devices.reversed() { services.kill(Self.service(device)) } }
        if scenario.isStarted { for device in scenario.devices { try start(device) } }
        let start = ContinuousClock.now
        for (time, step) in scenario.timeline(seed: seed) {
            // The timeline is the scenario's own: it is what is waited for.
            let rest = start + .seconds(time) - .now
            if rest > .zero {
                Thread.sleep(
                    forTimeInterval: Double(rest.components.attoseconds) / 1e18 + Double(rest.components.seconds))
            }
            do {
                let outcome = try perform(step)
                onEvent("\(step.device) \(step.name)\(outcome.isEmpty ? "" : ": \(outcome)")")
            } catch {
                throw TrialFailure("step “\(step.name)” on the \(step.device) failed: \(error)")
            }
        }
        return try checks()
    }

    /// A device's service, as the trial names it.
    private static func service(_ device: String) -> String {
        device == "phone" ? "host" : "companion" + device.dropFirst("watch".count)
    }

    // MARK: - Steps

    private func start(_ device: String) throws {
        let socket = services.state.linkSocket
        let configuration =
            device == "phone"
            ? "{ link: { seed: \(seed) }, companions: { serving: \"\(scenario.serving.rawValue)\" } }"
            : "{ link: { socket: \"\(socket)\", seed: \(seed), firstReconnect: 0.02, longestReconnect: 0.5 } }"
        guard try services.start(Self.service(device), configuration: configuration) else {
            throw TrialFailure(
                "it does not start: \(services.lastLines(Self.service(device), 3).joined(separator: "; "))")
        }
    }

    private func call(_ device: String, _ method: String, _ params: JSONValue = .object([:])) throws -> JSONValue {
        try services.call(Self.service(device), method, params)
    }

    private func perform(_ step: ScenarioStep) throws -> String {
        let device = step.device
        switch step.deed {
        case .submit(let count): return try submit(count, device)
        case .send(let kind, let count): return try send(kind, count, device)
        case .device(let deed):
            _ = try call(device, "device.apply", JSONValue(deed: deed))
            return deed.rawValue
        case .condition(let condition):
            let status = try call(device, "link.condition", JSONValue(deed: condition))
            return status["condition"]?.string ?? ""
        case .fault(let deed):
            _ = try call(device, "faults.apply", JSONValue(deed: deed))
            return deed.words.joined(separator: " ")
        case .watches(let verb, let number):
            let watch = try identifier(scenario.devices[number])
            _ = try call("phone", "watches.\(verb)", ["watch": .string(watch)])
            return scenario.devices[number]
        case .start: try start(device)
        case .stop: try services.stop(Self.service(device))
        case .kill: services.kill(Self.service(device))
        case .await(let text):
            try services.awaitLine(Self.service(device), containing: text)
            return text
        case .settle: try settle()
        }
        return ""
    }

    private func submit(_ count: Int, _ device: String) throws -> String {
        let quizzes = (0..<count).map { _ in TrialServices.quiz() }
        let results = try call(device, "submit", ["quizzes": .array(quizzes)]).array ?? []
        let taken = results.filter { $0["status"]?.string == "accepted" }.compactMap { $0["identifier"]?.string }
        accepted += taken.map { (device, $0) }
        return "\(taken.count) of \(count) accepted"
    }

    private func send(_ kind: String, _ count: Int, _ device: String) throws -> String {
        var params: [String: JSONValue] = ["kind": .string(kind)]
        var taken = 0
        if kind == "file" {
            let path = directory.appending(path: "file").path(percentEncoded: false)
            // Written once: a file that changes while it is sent cannot arrive.
            if !FileManager.default.fileExists(atPath: path),
                !FileManager.default.createFile(atPath: path, contents: Data(count: Self.fileBytes))
            {
                throw TrialFailure("\(path) cannot be written")
            }
            params["path"] = .string(path)
        }
        for number in 0..<count {
            params["content"] = .string("\(kind) \(number)")
            do {
                _ = try call(device, "send", .object(params))
                taken += 1
            } catch ControlClient.Failure.refused(let error) {
                onEvent("\(device) send: refused: \(error.message)")
            }
        }
        return "\(taken) of \(count) \(kind) taken"
    }

    private func identifier(_ device: String) throws -> String {
        if let known = identifiers[device] { return known }
        guard let identifier = try call(device, "device.status")["identifier"]?.string else {
            throw TrialFailure("the \(device) does not say who it is")
        }
        identifiers[device] = identifier
        return identifier
    }

    /// Waits until every quiz has its end, and no transfer waits.
    private func settle() throws {
        for (device, quiz) in accepted { _ = try call(device, "wait", ["identifier": .string(quiz)]) }
        for device in scenario.devices where services.isRunning(Self.service(device)) {
            try services.awaitTransfers(Self.service(device))
        }
    }

    // MARK: - Outcome

    private func checks() throws -> [Check] {
        var checks: [Check] = []
        func expect(_ name: String, _ failure: String?) { checks.append(Check(name: name, failure: failure)) }
        let quizzes = try call("phone", "quizzes.count").integer ?? 0
        let expectation = scenario.expectation
        if let stored = expectation.stored {
            expect("the phone stores \(stored) quizzes", quizzes == Int64(stored) ? nil : "it stores \(quizzes)")
        }
        if let failed = expectation.failed {
            var count = 0
            for device in scenario.devices.dropFirst() {
                count += Int(try call(device, "status")["outbox"]?["failed"]?.integer ?? 0)
            }
            expect("\(failed) quizzes fail", count == failed ? nil : "\(count) fail")
        }
        for (device, kind, count) in expectation.delivered {
            let found = try delivered(kind, to: device)
            expect("the \(device) is given \(count) of \(kind)", found == count ? nil : "it is given \(found)")
        }
        for (device, flag) in expectation.reachable {
            let found = try call(device, "device.status")["reachable"]?.boolean == true
            expect(
                "the \(device) \(flag ? "reaches" : "does not reach") its counterpart",
                found == flag ? nil : "it is \(found)")
        }
        for (device, text) in expectation.logged {
            expect("the \(device) logs “\(text)”", hasLogged(device, text) ? nil : "no line has it")
        }
        for (device, text) in expectation.unlogged {
            expect("the \(device) does not log “\(text)”", hasLogged(device, text) ? "a line has it" : nil)
        }
        expect("every accepted quiz is stored once", try unaccounted())
        return checks
    }

    /// What is wrong with the quizzes that were accepted: each must be stored, or have failed with its reason.
    private func unaccounted() throws -> String? {
        for (device, quiz) in accepted {
            let end = try call(device, "wait", ["identifier": .string(quiz)])
            let status = end["status"]?.string ?? "?"
            guard status == "replied" || (status == "failed" && end["reason"]?.string?.isEmpty == false) else {
                return "quiz \(quiz) is \(status)"
            }
        }
        return nil
    }

    private func delivered(_ kind: String, to device: String) throws -> Int {
        let name = kind.replacing("-", with: " ")
        let entries = try call(device, "ledger", ["limit": .integer(1_000)]).array ?? []
        return entries.filter {
            $0["direction"]?.string == "incoming" && $0["kind"]?.string == name
                && ["delivered", "replied"].contains($0["state"]?.string)
        }.count
    }

    /// The log file has the lines of every run of a service.
    private func hasLogged(_ device: String, _ text: String) -> Bool {
        let service = Self.service(device)
        let role = service.hasPrefix("companion") ? "companion" : "host"
        let path = services.folder(service) + "/\(role).log"
        guard let data = FileManager.default.contents(atPath: path) else { return false }
        return String(decoding: data, as: UTF8.self).contains(text)
    }
}
