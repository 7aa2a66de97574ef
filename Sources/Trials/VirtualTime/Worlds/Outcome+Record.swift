import CVirtualTime
import Foundation

extension Outcome {
    /// Reads the record that a world left. It is not trusted: the world may have overwritten it.
    init(of course: Course, record: UnsafePointer<virtual_time_record>, ending: Ending) {
        self.course = course
        let head = record.pointee
        counts = Counts(head.counts)
        virtualTime = .nanoseconds(head.now)
        droppedLines = head.trace_dropped
        var ending = ending
        (decisions, departures, faults) = Self.decisions(of: record, course.remainder, &ending)
        trace = Self.trace(of: record, &ending)
        self.ending = ending
    }

    private static func decisions(
        of record: UnsafePointer<virtual_time_record>, _ remainder: Course.Remainder, _ ending: inout Ending
    ) -> (all: [Decision], departures: [Departure], faults: [Departure]) {
        let count = record.pointee.decision_count
        guard count <= UInt64(Course.mostGiven), let first = virtual_time_record_decisions(record) else {
            ending = .damaged("it claims \(count) decisions")
            return ([], [], [])
        }
        var decisions: [Decision] = []
        var (departures, faults): ([Departure], [Departure]) = ([], [])
        decisions.reserveCapacity(Int(count))
        let labels = Self.labels(of: record)
        for (index, raw) in UnsafeBufferPointer(start: first, count: Int(count)).enumerated() {
            guard let kind = DecisionKind(rawValue: raw.kind) else {
                ending = .damaged("decision \(index) has the unknown kind \(raw.kind)")
                break
            }
            let place = Place(site: raw.place, ordinal: raw.ordinal)
            guard raw.options >= Decision.fewestOptions, raw.taken < raw.options else {
                ending = .damaged("decision \(index) took \(raw.taken) of \(raw.options)")
                break
            }
            let decision = Decision(unchecked: kind, raw.options, raw.taken, at: place)
            decisions.append(decision)
            let isFault = kind == .fault && remainder == .dull
            guard isFault || !decision.isDull else { continue }
            let departure = Departure(at: index, decision, Circumstance(raw, labels))
            if isFault { faults.append(departure) }
            if !decision.isDull { departures.append(departure) }
        }
        return (decisions, departures, faults)
    }

    /// Returns all labels: a world has few, and each of its many decisions has one.
    private static func labels(of record: UnsafePointer<virtual_time_record>) -> [String] {
        (0..<min(record.pointee.label_count, VIRTUAL_TIME_MOST_LABELS)).map { number in
            virtual_time_record_label(record, number).map { String(cString: $0) } ?? ""
        }
    }

    private static func trace(of record: UnsafePointer<virtual_time_record>, _ ending: inout Ending) -> String {
        let length = record.pointee.trace_length
        guard length <= UInt64(VIRTUAL_TIME_MOST_TRACE), let text = virtual_time_record_trace(record) else {
            ending = .damaged("it claims a trace of \(length) bytes")
            return ""
        }
        return String(decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
    }
}

extension Circumstance {
    fileprivate init(_ raw: virtual_time_decision, _ labels: [String]) {
        let label = Int(raw.label)
        self.init(
            time: raw.now, subject: labels.indices.contains(label) ? labels[label] : "", thread: raw.thread,
            chosen: raw.chosen < 0 ? nil : raw.chosen)
    }
}

extension Ending {
    /// - Parameters:
    ///   - record: The world's record, if there is one.
    ///   - status: The process's wait status, from `waitpid`.
    ///   - isOverdue: True if the process was killed because it took too long.
    init(record: UnsafePointer<virtual_time_record>?, status: Int32, isOverdue: Bool) {
        let end = record.map { virtual_time_end(rawValue: $0.pointee.end) } ?? virtual_time_end_none
        let text = record.map { Self.text(of: $0) } ?? ""
        self =
            switch end {
            case virtual_time_end_ended: .finished
            case virtual_time_end_failed: .failed(text)
            case virtual_time_end_deadlock: .deadlock(text)
            case virtual_time_end_uncontrolled: .uncontrolledCall(text)
            case virtual_time_end_spinning: .spinning(text)
            case virtual_time_end_horizon: .horizon
            case virtual_time_end_exhausted: .exhausted(text)
            case virtual_time_end_none: Self(status: status, isOverdue: isOverdue)
            default: .damaged("it reports the unknown ending \(end.rawValue)")
            }
        // A process that crashed after its world had finished still crashed.
        if case .finished = self, status & 0x7F != 0 { self = Self(status: status, isOverdue: isOverdue) }
    }

    /// Returns the reason a world could not run, if other processes held a resource it needed; nil otherwise. The
    /// record then says nothing about the world itself.
    static func crowding(_ record: UnsafePointer<virtual_time_record>) -> String? {
        guard virtual_time_end(rawValue: record.pointee.end) == virtual_time_end_crowded_out else { return nil }
        return text(of: record).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Decodes a wait status: the macros of wait(2) are not available in Swift.
    private init(status: Int32, isOverdue: Bool) {
        let signal = status & 0x7F
        self =
            if isOverdue && signal == SIGKILL { .overdue } else if signal != 0 { .killed(signal: signal) } else {
                .exited(code: status >> 8 & 0xFF)
            }
    }

    private static func text(of record: UnsafePointer<virtual_time_record>) -> String {
        let length = min(record.pointee.text_length, UInt64(VIRTUAL_TIME_MOST_TEXT))
        guard let text = virtual_time_record_text(record) else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
    }
}
