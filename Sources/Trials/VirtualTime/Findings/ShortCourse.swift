/// A description of a performance's departures from the dullest course: the kills, the faults, the interrupted threads,
/// and the threads that ran instead. For a shrunk failure, these are the conditions that the failure needs.
public struct ShortCourse: Hashable, Sendable {
    /// The placeholder in a subject for the number of the question, from 1: “outgoing reply # is dropped”.
    public static let numberMark = "#"

    /// The lines, ordered by time; empty if all decisions were dull.
    public let lines: [String]

    /// 15: more lines are no use at a glance, and a course that was not shrunk has thousands.
    package static let mostAtAGlance = 15

    /// Returns the first lines, and a count of the rest.
    package static func glance(_ lines: [String]) -> [String] {
        let rest = lines.count - mostAtAGlance
        return lines.prefix(mostAtAGlance) + (rest > 0 ? ["and \(rest) more"] : [])
    }

    /// Describes a performance.
    public init(_ performance: Performance) {
        var moments = Self.kills(performance)
        moments += performance.deeds.compactMap { Moment($0) }
        // The conductor's other decisions are described by its deeds.
        moments += performance.departures.filter { $0.decision.kind == .thread }.map { Moment($0, nil) }
        for process in performance.processes { moments += Self.moments(process) }
        lines = moments.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element.text)
    }

    /// Describes the decisions of a process. An event and its length, which is a decision of its own, are one line.
    private static func moments(_ process: ProcessOutcome) -> [Moment] {
        var moments: [Moment] = []
        var former: Departure?
        for departure in process.world.departures {
            if let event = former, departure.isLength(of: event) {
                moments[moments.count - 1] = Moment(event, process.life, lasting: departure)
            } else {
                moments.append(Moment(departure, process.life))
            }
            former = departure
        }
        return moments
    }

    /// Describes the kills by their effect on the processes, which says more than the decisions.
    private static func kills(_ performance: Performance) -> [Moment] {
        performance.processes.filter { $0.fate == .killed }.map { process in
            let next = performance.successor(of: process)
            let end = process.span.upperBound
            let absence = next.map { "away for \(Double(($0.span.lowerBound - end).milliseconds) / 1_000) s" }
            return Moment(
                time: end.nanoseconds, "\(process.life) is killed, and \(absence ?? "does not start again")")
        }
    }
}

extension ShortCourse {
    /// One event and its time.
    private struct Moment {
        let time: Int64
        let text: String

        init(time: Int64, _ what: String) {
            self.time = time
            text = "\(Self.clock(time)) \(what)"
        }

        /// - Parameter length: The decision about the length of the event.
        init(_ departure: Departure, _ life: Life?, lasting length: Departure? = nil) {
            let who = life.map { "\($0): " } ?? ""
            let rest = length.map { Self.measured($0).trimmingPrefix(departure.subject) } ?? ""
            self.init(time: departure.circumstance?.time ?? 0, who + Self.words(departure) + rest)
        }

        /// Describes a deed done to a device; nil for the deeds that `kills` covers.
        init?(_ line: Script.Line) {
            let what: String
            switch line.deed {
            case .disk(let name, let isFull): what = "the disk of \(name) \(isFull ? "is full" : "has room again")"
            case .clock(let name, let shift):
                let sign = shift > .zero ? "+" : ""
                what = "the clock of \(name) is shifted by \(sign)\(Double(shift.milliseconds) / 1_000) s"
            case .cutPower(let name): what = "the power of \(name) is cut, and loses what was not synchronized"
            case .start, .kill, .crash, .end: return nil
            }
            self.init(time: line.time.nanoseconds, what)
        }

        /// Formats a time since the beginning as hours, minutes, seconds and milliseconds.
        private static func clock(_ time: Int64) -> String {
            let milliseconds = max(0, time) / 1_000_000
            func digits(_ number: Int64, _ count: Int) -> String {
                let text = "\(number)"
                return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
            }
            let seconds = milliseconds / 1_000
            return digits(seconds / 3_600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":" + digits(seconds % 60, 2)
                + "." + digits(milliseconds % 1_000, 3)
        }

        private static func words(_ departure: Departure) -> String {
            let (decision, circumstance) = (departure.decision, departure.circumstance)
            let asker = circumstance?.thread.map { "thread \($0)" } ?? "it"
            let chosen = circumstance?.chosen.map { "thread \($0)" } ?? "another thread"
            let subject = departure.subject
            switch decision.kind {
            case .thread where circumstance?.thread == nil: return subject
            case .thread:
                return "\(chosen) runs next, \(waiting(decision.taken)); \(asker) is in \(subject)"
            case .interruption: return "\(asker) is interrupted in \(subject), and \(chosen) runs"
            case .wake: return "\(chosen) is woken by \(asker), \(waiting(decision.taken))"
            case .stall: return "\(chosen) is late by \(decision.taken) ms"
            case .latency where measured(departure) != subject: return numbered(measured(departure), decision)
            case .latency, .application:
                return "\(numbered(subject, decision)): \(decision.taken) of \(decision.options - 1)"
            case .fault:
                let number = decision.options > Decision.fewestOptions ? ": \(decision.taken)" : ""
                return numbered(subject, decision) + number
            }
        }

        /// Returns the subject with the decided length in place of the longest, such as “piece # is late, by up to 0.5 s”.
        private static func measured(_ departure: Departure) -> String {
            let (subject, decision) = (departure.subject, departure.decision)
            guard let range = subject.ranges(of: " up to ").last, subject.hasSuffix(" s"),
                let longest = Double(subject[range.upperBound...].dropLast(2))
            else { return subject }
            let seconds = longest * Double(decision.taken) / Double(decision.options)
            return "\(subject[..<range.lowerBound]) \((seconds * 1_000).rounded() / 1_000) s"
        }

        private static func waiting(_ count: UInt32) -> String {
            count == 1 ? "though another has waited longer" : "though \(count) others have waited longer"
        }

        private static func numbered(_ subject: String, _ decision: Decision) -> String {
            let number = "\(decision.place.ordinal + 1)"
            if subject.contains(numberMark) { return subject.replacing(numberMark, with: number) }
            return "\(subject.isEmpty ? decision.kind.name : subject) \(number)"
        }
    }
}

extension Departure {
    fileprivate var subject: String { circumstance?.subject ?? "" }

    /// Returns true if this decides how long an event lasts, whose subject its own begins with.
    fileprivate func isLength(of event: Departure) -> Bool {
        decision.kind == .latency && event.decision.kind == .fault && !event.subject.isEmpty
            && circumstance?.time == event.circumstance?.time && subject.hasPrefix("\(event.subject), ")
    }
}
