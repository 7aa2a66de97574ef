import Configuration
import ControlSocket
import DeviceControl
import Foundation
import ServiceRuntime

/// An examination of both services. Injected trouble comes first: it is often forgotten.
struct ServiceExamination {
    /// The largest difference of clocks in seconds. 1 s: more would mix up the order of lines in two logs.
    private static let largestSkew = 1.0

    private let invocation: Invocation
    private let shell: ShellCommand

    init(_ invocation: Invocation) {
        self.invocation = invocation
        shell = ShellCommand(invocation)
    }

    private struct Answers {
        let status: JSONValue
        let device: JSONValue
        let skew: Double
    }

    func findings() -> [Finding] {
        let sides = Array(zip(CommandOptions.sides, BothSides.ask(answers)))
        var (troubles, services): ([Finding], [Finding]) = ([], [])
        var found: [String: Answers] = [:]
        for (side, result) in sides {
            switch result {
            case .success(let answers):
                found[side] = answers
                troubles += self.troubles(side, answers.status)
                services += service(side, answers)
            case .failure(let failure): services.append(silence(side, failure))
            }
        }
        if let host = found["host"], let companion = found["companion"] {
            services.append(link(host, companion, isTroubled: !troubles.isEmpty))
        }
        return troubles + services
    }

    private func answers(of side: String) -> Result<Answers, ControlClient.Failure> {
        do throws(ControlClient.Failure) {
            let path = invocation.controlSocket(of: side)
            let client = try ControlClient(path: path)
            let before = Date().timeIntervalSince1970
            let time = try client.call("time").number ?? before
            let after = Date().timeIntervalSince1970
            let skew = time < before ? before - time : max(0, time - after)
            return .success(
                Answers(status: try client.call("status"), device: try client.call(.status), skew: skew))
        } catch {
            return .failure(error)
        }
    }

    // MARK: - One service

    /// Returns the trouble injected into a device, and the failures of its databases.
    private func troubles(_ side: String, _ status: JSONValue) -> [Finding] {
        let deliberate = ServiceTrouble.deliberate(in: status).map { trouble in
            Finding(
                subject: side, state: trouble.isGrave ? .bad : .odd, detail: trouble.text, advice: "end it",
                command: shell.watchlink(trouble.remedy))
        }
        let databases = ServiceTrouble.databases(in: status).map {
            Finding.bad(
                "\(side)'s database", $0.text, "nothing is lost; follow the message, the service retries")
        }
        return deliberate + databases + held(status) + overdue(side, status)
    }

    /// Returns a finding for quizzes that await confirmation before they expire.
    private func held(_ status: JSONValue) -> [Finding] {
        guard let held = status["quizzesHeldBack"]?.integer, held > 0 else { return [] }
        return [
            .odd(
                "retention", "\(held) quizzes are too old by the clock and await confirmation",
                "if the clock is right: \(shell.watchlink(["quizzes", "expire"]))")
        ]
    }

    private func overdue(_ side: String, _ status: JSONValue) -> [Finding] {
        guard let call = OverdueCall(status) else { return [] }
        return [.bad("\(side)'s delegate", call.text, "find what it waits for; it blocks all other calls")]
    }

    private func silence(_ side: String, _ failure: ControlClient.Failure) -> Finding {
        switch failure {
        case .notRunning: .bad(side, "not running", "start it", command: shell.start(side))
        case .notAnswering(_, let process?):
            .bad(
                side, "it \(failure)", "resume it; if it stays silent, kill it", command: "kill -CONT \(process)"
            )
        default: .bad(side, CommandError(failure, service: side).message, "read its log \(state(side))")
        }
    }

    private func state(_ side: String) -> String { invocation.state.log(of: side) }

    private func service(_ side: String, _ answers: Answers) -> [Finding] {
        let version = answers.status["version"]?.string ?? "?"
        let commit = String((answers.status["commit"]?.string ?? "").prefix(12))
        let text = "running, version \(version) (\(commit))"
        var findings: [Finding] = []
        if version == Version.number, commit == Version.commit.prefix(12) {
            findings.append(.good(side, text))
        } else {
            findings.append(
                .odd(
                    side, "\(text), but this program is \(Version.number) (\(Version.commit.prefix(12)))",
                    "restart it with the new program"))
        }
        if answers.skew > Self.largestSkew {
            findings.append(
                .odd(
                    "\(side)'s clock", "\(String(format: "%.1f", answers.skew)) s off this machine's clock",
                    "synchronize both with a time server"))
        }
        return findings
    }

    // MARK: - The link

    private func link(_ host: Answers, _ companion: Answers, isTroubled: Bool) -> Finding {
        if [host, companion].allSatisfy({ $0.status["reachable"]?.boolean == true }) {
            return .good("link", "both sides reach each other")
        }
        let detail = "the sides do not reach each other"
        let sockets = [host, companion].map { $0.device["socket"]?.string ?? "?" }
        if sockets[0] != sockets[1] {
            return .bad(
                "link", "\(detail): the host listens at \(sockets[0]), the companion connects to \(sockets[1])",
                "set the same link.socket in both configurations")
        }
        if isTroubled { return .bad("link", detail, "end the trouble above first") }
        return .bad(
            "link", detail,
            "read the last lines of \(state("companion")) and \(state("host")): they say why a connection was refused or closed"
        )
    }
}
