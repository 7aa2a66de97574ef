import Configuration
import DeviceControl
import Foundation
import LinkProtocol

/// The expectations of a scenario, checked at its end.
extension ScenarioRun {
    /// The time a line may take to reach a log that separate threads write.
    private static let logDelay: Duration = .seconds(1)
    /// The prefix of a line by which a program itself reports an error.
    private static let complaint = "FINDING"

    func checks() throws -> [ScenarioCheck] {
        try quizChecks() + ledgerChecks() + logChecks() + fileChecks()
    }

    /// Checks that the programs themselves reported no error.
    func health() -> [ScenarioCheck] {
        devices.filter { $0.kind == .program }.map { device in
            let word = processes.lines(of: device).first { $0.hasPrefix(Self.complaint) }
            return .health(of: device.name, processes.failure(of: device) ?? word)
        }
    }

    private func quizChecks() throws -> [ScenarioCheck] {
        guard devices.contains(where: { $0.kind == .service }) else { return [] }
        var checks: [ScenarioCheck] = []
        if let stored = scenario.expectation.stored {
            let count = try call(devices[0], "quizzes.count").integer ?? 0
            checks.append(
                ScenarioCheck("the phone stores \(stored) quizzes", count == stored ? nil : "it stores \(count)"))
        }
        if let failed = scenario.expectation.failed {
            var count = 0
            for device in devices.dropFirst() {
                count += Int(try call(device, "status")["outbox"]?["failed"]?.integer ?? 0)
            }
            checks.append(ScenarioCheck("\(failed) quizzes fail", count == failed ? nil : "\(count) fail"))
        }
        return checks + [ScenarioCheck("every accepted quiz is stored once", try unaccounted())]
    }

    /// Returns an error in the accepted quizzes: each must be stored, or have failed with a reason.
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

    private func ledgerChecks() throws -> [ScenarioCheck] {
        var checks: [ScenarioCheck] = []
        for (device, kind, count) in scenario.expectation.delivered {
            let found = try entries(of: device, "incoming", kind).count { $0 == "delivered" || $0 == "replied" }
            checks.append(
                ScenarioCheck(
                    "\(count) \(kind) items are delivered to the \(device)", found == count ? nil : "\(found) are"))
        }
        for (device, kind, state, count) in scenario.expectation.sent {
            let found = try entries(of: device, "outgoing", kind).count { $0 == state }
            checks.append(
                ScenarioCheck(
                    "\(count) \(kind) items from the \(device) end as \(state)", found == count ? nil : "\(found) do"))
        }
        for (device, flag) in scenario.expectation.reachable {
            let found = try call(try self.device(device), .status)["reachable"]?.boolean == true
            checks.append(
                ScenarioCheck(
                    "the \(device) \(flag ? "reaches" : "does not reach") its counterpart",
                    found == flag ? nil : "it \(found ? "does" : "does not")"))
        }
        return checks
    }

    /// Returns the ledger states of a device's messages or transfers of a kind.
    private func entries(of device: String, _ direction: String, _ kind: String) throws -> [String] {
        let name = kind.replacing("-", with: " ")
        var (states, question) = ([String](), LedgerQuestion())
        // The latest come first.
        while true {
            let page = try call(try self.device(device), .ledger(question)).array ?? []
            guard let first = page.compactMap({ $0["sequence"]?.integer }).min() else { return states }
            states += page.filter { $0["direction"]?.string == direction && $0["kind"]?.string == name }
                .compactMap { $0["state"]?.string }
            question.before = first
        }
    }

    private func logChecks() throws -> [ScenarioCheck] {
        try scenario.expectation.logged.map { name, text in
            let device = try device(name)
            let isThere =
                processes.lines(of: device).contains { $0.contains(text) }
                || processes.awaitLine(of: device, containing: text, within: Self.logDelay)
            return ScenarioCheck("the \(name) logs “\(text)”", isThere ? nil : "no line contains it")
        }
            + scenario.expectation.unlogged.map { name, text in
                let isThere = processes.lines(of: try device(name)).contains { $0.contains(text) }
                return ScenarioCheck("the \(name) does not log “\(text)”", isThere ? "a line contains it" : nil)
            }
    }

    private func fileChecks() throws -> [ScenarioCheck] {
        try scenario.expectation.files.map { name, path, text in
            let data = FileManager.default.contents(atPath: "\(try device(name).home)/\(path)")
            let failure: String? =
                switch data.map({ text.isEmpty || String(decoding: $0, as: UTF8.self).contains(text) }) {
                case nil: "the file does not exist"
                case false?: "it does not"
                case true?: nil
                }
            let statement = text.isEmpty ? "has the file \(path)" : "has “\(text)” in the file \(path)"
            return ScenarioCheck("the \(name) \(statement)", failure)
        }
            + scenario.expectation.absentFiles.map { name, path in
                let isThere = FileManager.default.fileExists(atPath: "\(try device(name).home)/\(path)")
                return ScenarioCheck("the \(name) has no file \(path)", isThere ? "the file exists" : nil)
            }
    }
}
