import Configuration
import ControlSocket
import DeviceControl
import Foundation
import ServiceRuntime

/// A look at both services: what was done to them first, as forgotten trouble is what one looks for first.
struct ServiceExamination {
    /// How far clocks may be apart. 1 s: more would put the lines of two logs into a wrong order.
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

    /// What was done to a device, and what its databases met.
    private func troubles(_ side: String, _ status: JSONValue) -> [Finding] {
        let deliberate = ServiceTrouble.deliberate(in: status).map { trouble in
            Finding(
                subject: side, state: trouble.isGrave ? .bad : .odd, detail: trouble.text, advice: "end it",
                command: shell.watchlink(trouble.remedy))
        }
        let databases = ServiceTrouble.databases(in: status).map {
            Finding.bad(
                "\(side)'s database", $0.text, "nothing is lost; do what the message says: it is tried again by itself")
        }
        return deliberate + databases + held(status) + overdue(side, status)
    }

    /// Quizzes that wait for a person's word before they expire.
    private func held(_ status: JSONValue) -> [Finding] {
        guard let held = status["quizzesHeldBack"]?.integer, held > 0 else { return [] }
        return [
            .odd(
                "retention", "\(held) quizzes are too old by the clock and wait for a person's word",
                "if the clock is right: \(shell.watchlink(["quizzes", "expire"]))")
        ]
    }

    private func overdue(_ side: String, _ status: JSONValue) -> [Finding] {
        guard let call = OverdueCall(status) else { return [] }
        return [.bad("\(side)'s delegate", call.text, "find what it waits for: nothing else reaches the app meanwhile")]
    }

    private func silence(_ side: String, _ failure: ControlClient.Failure) -> Finding {
        switch failure {
        case .notRunning: .bad(side, "it does not run", "start it", command: shell.start(side))
        case .notAnswering(_, let process?):
            .bad(
                side, "it \(failure)", "let it go on; if it says nothing then, end it", command: "kill -CONT \(process)"
            )
        default: .bad(side, CommandError(failure, service: side).message, "read its log \(state(side))")
        }
    }

    private func state(_ side: String) -> String { invocation.state.log(of: side) }

    private func service(_ side: String, _ answers: Answers) -> [Finding] {
        let version = answers.status["version"]?.string ?? "?"
        let commit = String((answers.status["commit"]?.string ?? "").prefix(12))
        let text = "runs, version \(version) (\(commit))"
        var findings: [Finding] = []
        if version == Version.number, commit == Version.commit.prefix(12) {
            findings.append(.good(side, text))
        } else {
            findings.append(
                .odd(
                    side, "\(text), this program is \(Version.number) (\(Version.commit.prefix(12)))",
                    "end it, and start it with the new program"))
        }
        if answers.skew > Self.largestSkew {
            findings.append(
                .odd(
                    "\(side)'s clock", "\(String(format: "%.1f", answers.skew)) s away from this one's",
                    "let a time server set both"))
        }
        return findings
    }

    // MARK: - The link

    private func link(_ host: Answers, _ companion: Answers, isTroubled: Bool) -> Finding {
        if [host, companion].allSatisfy({ $0.status["reachable"]?.boolean == true }) {
            return .good("link", "each side reaches the other")
        }
        let detail = "the sides do not reach each other"
        let sockets = [host, companion].map { $0.device["socket"]?.string ?? "?" }
        if sockets[0] != sockets[1] {
            return .bad(
                "link", "\(detail): the host listens at \(sockets[0]), the companion connects to \(sockets[1])",
                "name the same link.socket in both configurations")
        }
        if isTroubled { return .bad("link", detail, "end the trouble above first") }
        return .bad(
            "link", detail,
            "read the last lines of \(state("companion")) and \(state("host")): they say why a connection was refused or ended"
        )
    }
}
