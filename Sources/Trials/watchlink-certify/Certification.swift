import Configuration
import DatabaseServers
import Foundation
import Processes
import ServiceRuntime
import StoreConformance

/// A run of all parts, with their verdicts.
struct Certification {
    let asJSON: Bool
    private(set) var verdicts: [Verdict] = []
    /// Facts for people, such as the server's version.
    private(set) var facts: [String: JSONValue] = [:]

    init(asJSON: Bool) { self.asJSON = asJSON }

    /// Lower-case letters and digits that no other run uses: a part of tables' names.
    static func token() -> String {
        "c" + String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
    }

    mutating func note(_ name: String, _ value: JSONValue, _ line: String) throws {
        facts[name] = value
        if !asJSON, !line.isEmpty { try StandardOutput.print(line) }
    }

    /// Runs one part.
    mutating func run(_ name: String, _ promise: String, _ body: () throws -> Void) throws {
        let start = ContinuousClock.now
        var failure: String?
        do {
            try body()
        } catch let error as SetUpError {
            // No verdict: the trial itself could not be held.
            throw error
        } catch {
            failure = "\(error)"
        }
        let verdict = Verdict(
            name: name, promise: promise, failure: failure, seconds: (ContinuousClock.now - start) / .seconds(1))
        verdicts.append(verdict)
        if !asJSON {
            try StandardOutput.print(verdict.line)
            try StandardOutput.flush()
        }
    }

    /// Runs the cases of the conformance kit.
    mutating func run(_ cases: [ConformanceCase], on stores: StoreMaker) throws {
        let token = Self.token()
        for each in cases where stores.isShared || !each.needsSharing {
            try run(each.name, each.promise) { try each.run(stores, token: token) }
        }
    }

    /// Prints the end, and returns the exit code.
    func end() throws -> ExitCode {
        let broken = verdicts.filter { $0.failure != nil }
        if asJSON {
            var object = facts
            object["verdicts"] = .array(verdicts.map(\.json))
            object["isConforming"] = .boolean(broken.isEmpty)
            try StandardOutput.print(JSONValue.object(object).text(pretty: true))
        } else {
            try StandardOutput.print(
                broken.isEmpty
                    ? "all \(verdicts.count) promises kept"
                    : "\(broken.count) of \(verdicts.count) promises broken: \(broken.map(\.name).joined(separator: ", "))"
            )
        }
        return broken.isEmpty ? .success : .failure
    }
}
