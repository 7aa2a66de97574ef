import Configuration
import Foundation
import LinkProtocol
import Words

/// The screen of `watchlink watch`: the devices side by side, and the latest events below. Pure: snapshots in, lines
/// out.
struct WatchScreen {
    /// The events kept for the screen. 200: more than any screen has rows.
    private static let keptEvents = 200

    private var former: [String: ServiceSnapshot] = [:]
    private var current: [String: ServiceSnapshot] = [:]
    private var events: [JSONValue] = []

    /// Returns the position after a side's last known event.
    func place(of side: String) -> Int64 { current[side]?.place ?? 0 }

    mutating func add(_ snapshots: [ServiceSnapshot]) {
        former = current
        for snapshot in snapshots {
            current[snapshot.device.name] = snapshot
            events += snapshot.events
        }
        events.sort { ($0["time"]?.string ?? "") < ($1["time"]?.string ?? "") }
        events = events.suffix(Self.keptEvents)
    }

    func lines(title: String, columns: Int, rows: Int, isColoured: Bool) -> [String] {
        let half = max(20, columns / 2 - 1)
        var panels = devices.map(panel)
        var lines = [cut(title, columns), ""]
        while !panels.isEmpty {
            let left = panels.removeFirst()
            let right = panels.isEmpty ? [] : panels.removeFirst()
            for index in 0..<max(left.count, right.count) {
                let (a, b) = (index < left.count ? left[index] : "", index < right.count ? right[index] : "")
                lines.append(cut(padded(cut(a, half), half) + " " + cut(b, half), columns))
            }
        }
        lines += ["", "latest events"]
        let room = max(0, rows - lines.count)
        for event in events.suffix(room) { lines.append(line(event, columns, isColoured)) }
        return lines
    }

    // MARK: - One device

    /// The devices, the first watch on the left and the phone on the right, then the other watches.
    private var devices: [CommandDevice] {
        var watches = current.values.map(\.device).filter { $0.role == .companion }.sorted { $0.name < $1.name }
        watches.insert(contentsOf: current.values.map(\.device).filter { $0.role == .host }, at: min(1, watches.count))
        return watches
    }

    private func panel(_ device: CommandDevice) -> [String] {
        let (side, name) = (device.name, device.title)
        guard let snapshot = current[side], let status = snapshot.status else {
            return ["○ \(name): \(TerminalText.printable(current[side]?.problem ?? ""))"]
        }
        func number(_ key: String, _ object: JSONValue? = nil) -> Int64 { (object ?? status)[key]?.integer ?? 0 }
        let outbox = status["outbox"].map { "pending \(number("pending", $0)), failed \(number("failed", $0))" }
        let queues = ["awaiting reply", "to be replied to", "transfers out", "transfers in"].map { queue in
            Int(snapshot.sum("watchlink_queue_length", "queue=\"\(queue)\""))
        }
        let out = rate(side, "watchlink_messages_total", "status=\"sent\"")
        let arrived = rate(side, "watchlink_messages_total", "status=\"received\"")
        let bytes = rate(side, "watchlink_link_bytes_total", "")
        // Programs store neither.
        let plural = status["application"]?.string ?? "quizzes"
        let records = status[plural] == nil ? [] : ["  \(padded(plural, 11)) \(number(plural))"]
        let stored = outbox.map { ["  outbox      \($0)"] } ?? records
        return [
            "● \(name): process \(number("process")), up \(span(status["uptimeSeconds"]?.number ?? 0))",
            "  session     \(status["session"]?.string ?? "?")",
            "  counterpart \(status["reachable"]?.boolean == true ? "reachable" : "not reachable"), \(status["peers"]?.array?.count ?? 0) connected",
            "  messages    \(text(out))/s out, \(text(arrived))/s in, \(text(bytes / 1_000)) kB/s",
            "  queues      \(queues[0]) await a reply, \(queues[1]) to answer, \(queues[2]) out, \(queues[3]) in",
        ] + stored + [
            "  commits     \(text(rate(side, "watchlink_database_commits_total", "")))/s",
            "  faults      \(Int(snapshot.sum("watchlink_faults_injected_total"))) injected",
            "  memory      \(Int(snapshot.sum("watchlink_resident_memory_bytes") / 1_048_576)) MiB",
        ]
            + ServiceTrouble.rows(of: status, isBrief: true).map {
                "  \(padded($0.label, 11)) \(TerminalText.printable($0.text))"
            }
    }

    /// Returns a counter's growth per second.
    private func rate(_ side: String, _ name: String, _ label: String) -> Double {
        guard let old = former[side], let new = current[side], old.status != nil else { return 0 }
        let (seconds, attoseconds) = (new.time - old.time).components
        let elapsed = Double(seconds) + Double(attoseconds) / 1e18
        return elapsed > 0 ? max(0, new.sum(name, label) - old.sum(name, label)) / elapsed : 0
    }

    // MARK: - Text

    private func text(_ value: Double) -> String {
        value < 10 ? String(format: "%.1f", value) : "\(Int(value.rounded()))"
    }

    private func span(_ seconds: Double) -> String {
        let whole = Int(seconds)
        return whole < 120
            ? "\(whole) s" : whole < 7_200 ? "\(whole / 60) min" : "\(whole / 3_600) h \(whole / 60 % 60) min"
    }

    private func line(_ event: JSONValue, _ columns: Int, _ isColoured: Bool) -> String {
        guard case .object(let fields) = event else { return "" }
        let level = fields["level"]?.string ?? ""
        let time = (fields["time"]?.string ?? "").dropFirst(11).prefix(12)
        let rest = fields.filter { !["time", "level", "service", "event"].contains($0.key) }.sorted { $0.key < $1.key }
        let words = rest.map { "\($0.key)=\($0.value.string ?? (try? $0.value.text()) ?? "")" }.joined(separator: " ")
        let plain = cut(
            "\(time)  \(padded(fields["service"]?.string ?? "", 9))  \(padded(level, 8))  "
                + "\(padded(fields["event"]?.string ?? "", 24)) \(TerminalText.printable(words))", columns)
        guard isColoured else { return plain }
        switch level {
        case "warning": return "\u{1B}[33m\(plain)\u{1B}[0m"
        case "error", "critical", "alert", "emergency": return "\u{1B}[31m\(plain)\u{1B}[0m"
        default: return plain
        }
    }

    private func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : text.prefix(width - 1) + "…"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
