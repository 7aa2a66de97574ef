import Foundation
import LinkProtocol
import ServiceRuntime
import VirtualTime
import Words

/// The certain part of a finding as a scenario, to be kept as a test: kills and faults are its steps. The order of
/// threads and small delays are left to the seeds with which it is played.
struct FindingScenario {
    private struct Step {
        let time: Duration
        let device: String
        /// The action, in the syntax of the file.
        let deed: String
    }

    private let name: String
    private let what: String
    private let script: Script
    private let performance: Performance

    /// - Parameters:
    ///   - path: The finding's file.
    ///   - what: The failure.
    init(_ path: String, _ what: String, _ script: Script, _ performance: Performance) throws {
        guard script.direction == nil else {
            throw UsageError("\(path) was found with a scenario or the services' torture: keep that instead")
        }
        name = URL(filePath: path).deletingPathExtension().lastPathComponent
        (self.what, self.script, self.performance) = (what, script, performance)
    }

    func write(to file: String) throws {
        try ReportFile.write(text(file), to: file)
    }

    func text(_ file: String) throws -> String {
        let steps = try (starts + kills + faults + [end]).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map {
                let time = Self.seconds($0.element.time)
                return "    { at: \(time), on: \(try quoted($0.element.device)), \($0.element.deed) },"
            }
        let course = ShortCourse.glance(ShortCourse(performance).lines).map { "//   " + TerminalText.printable($0) }
        return """
            // \(TerminalText.printable(what.split(separator: "\n").first.map { String($0) } ?? ""))
            // Decisions that cause it:
            \((course.isEmpty ? ["//   none: it fails without any trouble"] : course).joined(separator: "\n"))
            // Kills and faults are steps here. The order of threads and small delays are left to the seeds:
            //   watchlink explore \(programs) --script \(ShellText.quoted(file)) --seeds 1...20
            {
              name: \(try quoted(name)),
              summary: \(try quoted(TerminalText.printable(what))),
              started: false,
              steps: [
            \(steps.joined(separator: "\n"))
              ],
            }

            """
    }

    /// The first start of each device, at its own time: the watches come later than the phone.
    private var starts: [Step] {
        performance.processes.filter { $0.life.number == 1 }
            .map { Step(time: $0.span.lowerBound, device: $0.name, deed: "do: \"start\"") }
    }

    private var kills: [Step] {
        performance.processes.filter { $0.fate == .killed }.flatMap { process -> [Step] in
            let next = performance.successor(of: process)
            let kill = Step(time: process.span.upperBound, device: process.name, deed: "do: \"kill\"")
            return [kill]
                + (next.map { [Step(time: $0.span.lowerBound, device: $0.name, deed: "do: \"start\"")] } ?? [])
        }
    }

    /// The faults, each as a rule from the start of its program, because a rule counts packages from then on.
    private var faults: [Step] {
        performance.processes.flatMap { process in
            process.world.departures.filter { $0.decision.kind == .fault }.compactMap { departure -> Step? in
                let subject = departure.circumstance?.subject ?? ""
                let number = Int(departure.decision.place.ordinal) + 1
                let span = Self.span(of: subject, at: departure.circumstance?.time, in: process.world.departures)
                guard let event = FaultEvent(subject, number: number, span: span) else { return nil }
                let deed = "do: \"fault\", rule: \"\(event.words.joined(separator: " "))\""
                return Step(time: process.span.lowerBound, device: process.name, deed: deed)
            }
        }
    }

    /// 100 ms, the default: the shortest loss that hazards cause.
    private static let shortest: Duration = .milliseconds(100)

    private static func span(of event: String, at time: Int64?, in departures: [Departure]) -> Duration {
        let spans = departures.lazy.filter { $0.decision.kind == .latency && $0.circumstance?.time == time }
            .compactMap { departure in
                FaultEvent.span(
                    departure.circumstance?.subject ?? "", of: event,
                    part: Double(departure.decision.taken) / Double(departure.decision.options))
            }
        return max(shortest, spans.first ?? shortest)
    }

    /// A step without effect, at the end of the finding.
    private var end: Step { Step(time: script.end, device: "phone", deed: "do: \"clear-faults\"") }

    /// The options with the devices' first builds.
    private var programs: String {
        var named: Set<String> = []
        return script.lines.compactMap { line -> String? in
            guard case .start(let program) = line.deed, named.insert(program.name).inserted else { return nil }
            let words = ([program.executable] + program.arguments).map { ShellText.quoted($0) }.joined(separator: " ")
            return "--\(program.name == "phone" ? "phone" : "watch") \(ShellText.quoted(words))"
        }.joined(separator: " ")
    }

    /// The time in seconds, with the decimals that it has: a floating-point number adds some.
    private static func seconds(_ time: Duration) -> Decimal {
        let (seconds, attoseconds) = time.components
        return Decimal(seconds) + Decimal(attoseconds / 1_000_000_000) / 1_000_000_000
    }

    /// A JSON string is also a JSON5 string.
    private func quoted(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }
}
