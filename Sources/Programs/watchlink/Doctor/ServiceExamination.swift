import Configuration
import ControlSocket
import DeviceControl
import Foundation
import LinkProtocol
import ServiceRuntime

/// An examination of the devices: the services, or the programs of a run. Injected trouble comes first: it is often forgotten.
struct ServiceExamination {
    /// The largest difference of clocks in seconds. 1 s: more would mix up the order of lines in two logs.
    private static let largestSkew = 1.0

    private let invocation: Invocation
    private let devices: [CommandDevice]
    private let shell: ShellCommand

    init(_ invocation: Invocation, _ devices: [CommandDevice]) {
        (self.invocation, self.devices) = (invocation, devices)
        shell = ShellCommand(invocation)
    }

    private struct Answers {
        let status: JSONValue
        let device: JSONValue
        let skew: Double
    }

    func findings() -> [Finding] {
        var (troubles, services): ([Finding], [Finding]) = ([], [])
        // The phone, and the first watch.
        var found: [DeviceRole: Answers] = [:]
        for (device, result) in zip(devices, EachDevice.ask(devices, answers)) {
            switch result {
            case .success(let answers):
                found[device.role] = found[device.role] ?? answers
                troubles += self.troubles(device, answers.status)
                services += service(device, answers)
            case .failure(let failure): services.append(silence(device, failure))
            }
        }
        if let host = found[.host], let companion = found[.companion] {
            services.append(link(host, companion, isTroubled: !troubles.isEmpty))
        }
        return troubles + services
    }

    private func answers(of device: CommandDevice) -> Result<Answers, ControlClient.Failure> {
        do throws(ControlClient.Failure) {
            let client = try ControlClient(path: device.controlSocket)
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

    // MARK: - One device

    /// Returns the trouble injected into a device, and the failures of its databases.
    private func troubles(_ device: CommandDevice, _ status: JSONValue) -> [Finding] {
        let side = device.name
        let deliberate = ServiceTrouble.deliberate(in: status).map { trouble in
            Finding(
                subject: side, state: trouble.isGrave ? .bad : .odd, detail: trouble.text, advice: "end it",
                command: shell.watchlink(trouble.remedy.map { $0 == device.role.rawValue ? side : $0 }))
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

    private func silence(_ device: CommandDevice, _ failure: ControlClient.Failure) -> Finding {
        let side = device.name
        switch failure {
        case .notRunning where device.kind == .program && device.isRunning:
            return .odd(
                side, "running, but cannot be asked: not linked with DeviceControl, or its session is not activated",
                "add the product DeviceControl to its target's dependencies")
        case .notRunning where device.kind == .program:
            return .bad(side, "not running", "start it with “watchlink run”")
        case .notRunning: return .bad(side, "not running", "start it", command: shell.start(side))
        case .notAnswering(_, let process?):
            return .bad(
                side, "it \(failure)", "resume it; if it stays silent, kill it", command: "kill -CONT \(process)"
            )
        default: return .bad(side, CommandError(failure, service: side).message, "read its log \(state(side))")
        }
    }

    private func state(_ side: String) -> String { invocation.state.log(of: side) }

    /// The logs, the watches' first.
    private var logs: String { devices.reversed().map { state($0.name) }.joined(separator: " and ") }

    private func service(_ device: CommandDevice, _ answers: Answers) -> [Finding] {
        let side = device.name
        var findings = [device.kind == .service ? version(side, answers) : .good(side, "running")]
        if answers.skew > Self.largestSkew {
            findings.append(
                .odd(
                    "\(side)'s clock", "\(String(format: "%.1f", answers.skew)) s off this machine's clock",
                    "synchronize both with a time server"))
        }
        return findings + DatabaseServer.all(in: answers.status).flatMap(\.findings)
    }

    private func version(_ side: String, _ answers: Answers) -> Finding {
        let version = answers.status["version"]?.string ?? "?"
        let commit = String((answers.status["commit"]?.string ?? "").prefix(12))
        let text = "running, version \(version) (\(commit))"
        if version == Version.number, commit == Version.commit.prefix(12) { return .good(side, text) }
        return .odd(
            side, "\(text), but this program is \(Version.number) (\(Version.commit.prefix(12)))",
            "restart it with the new program")
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
            "read the last lines of \(logs): they say why a connection was refused or closed"
        )
    }
}
