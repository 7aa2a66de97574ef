import EventLog
import Foundation
package import LinkProtocol

/// Puts a timeline together. Events come in the order of their times, whichever log they are from.
package struct TimelineBuilder {
    private var packages: [String: TimelinePackage] = [:]
    private var order: [String] = []
    private var open: [TimelineSide: [TimelineBand.Kind: TimelineBand]] = [:]
    private var bands: [TimelineBand] = []
    private var marks: [TimelineMark] = []
    private var lastEvents: [TimelineSide: TimelineEvent] = [:]

    package init() {}

    // MARK: - Logs

    package mutating func add(_ event: TimelineEvent) {
        defer { lastEvents[event.side] = event }
        switch event.event {
        case .starting:
            // It is known to have lived as long as it wrote.
            if let last = lastEvents[event.side], close(.running, last, note: "ended without a word") {
                _ = close(.reachable, last, note: "")
                mark(.crash, last, "ended without a word")
            }
            begin(.running, event, note: event.fields["version"] ?? "")
            mark(.start, event, "starting \(event.fields["version"] ?? "")")
        case .stopped:
            _ = close(.running, event, note: "stopped")
            _ = close(.reachable, event, note: "")
            _ = close(.condition, event, note: "")
            mark(.stop, event, "stopped")
        case .reachabilityChanged:
            _ = close(.reachable, event, note: "")
            if event.fields["reachable"] == "true" || event.fields["reachable"] == "1" {
                begin(.reachable, event, note: "reachable")
            }
        case .linkConditioned:
            _ = close(.condition, event, note: "")
            let words = event.fields["condition"] ?? ""
            if words != "perfect" { begin(.condition, event, note: words) }
        case .linkFlapped: mark(.fault, event, "the link is \(event.fields["reason"] ?? "changed")")
        case .faultInjected:
            let words = event.fields["fault"] ?? "a fault"
            if let identifier = event.fields["package"] { change(identifier, "message") { $0.faults.append(words) } }
            mark(.fault, event, words)
        default:
            if event.event.level <= .warning, event.fields["package"] == nil {
                let why = event.fields["error"] ?? event.fields["reason"] ?? ""
                mark(.trouble, event, "\(event.event.rawValue) \(why)")
            }
            addPackage(event)
        }
    }

    private mutating func addPackage(_ event: TimelineEvent) {
        guard let identifier = event.fields["package"] else { return }
        let kind = Self.kind(of: event)
        let (time, side) = (event.time, event.side)
        let cause = event.fields["reason"] ?? event.fields["error"]
        change(identifier, kind) { package in
            if let bytes = event.fields["bytes"].flatMap({ Int($0) }) { package.bytes = bytes }
            switch event.event {
            case .quizAccepted, .transferQueued:
                package.queued = time
                package.origin = side
            case .quizSent, .messageSent, .transferSent: package.sent(at: time, by: side)
            case .quizReceived, .messageReceived, .transferReceived, .transferRepeated:
                package.received(at: time, by: side)
            case .quizRepeated:
                // It is answered as it was before: the former answer got lost.
                package.received(at: time, by: side)
                package.answered(at: time, by: side)
            case .quizStored: package.answered(at: time, by: side)
            case .messageReplied where package.kind != "quiz": package.answered(at: time, by: side)
            case .quizReplied, .transferFinished: package.ended(.replied, at: time, by: side)
            case .transferDelivered: package.status = max(package.status, .delivered)
            case .quizFailed, .transferFailed, .transferCancelled, .quizRejected:
                package.ended(.failed, at: time, by: side)
                package.cause = cause
            case .quizRefused, .messageFailed, .quizRetryScheduled, .transferRetryScheduled, .transferInterrupted:
                package.cause = cause ?? event.event.rawValue
                if event.event == .messageFailed, package.kind != "quiz" { package.ended(.failed, at: time, by: side) }
            case .contextCoalesced: package.status = .coalesced
            default: break
            }
        }
    }

    private static func kind(of event: TimelineEvent) -> String {
        if event.event.subsystem == .quizzes { return "quiz" }
        return event.fields["kind"] ?? "message"
    }

    private mutating func change(_ identifier: String, _ kind: String, _ body: (inout TimelinePackage) -> Void) {
        if packages[identifier] == nil { order.append(identifier) }
        var package = packages[identifier] ?? TimelinePackage(identifier, kind: kind)
        // A quiz travels in a message of its identifier: the more telling word stays.
        if kind == "quiz" || package.kind == "message" { package.kind = kind }
        body(&package)
        packages[identifier] = package
    }

    // MARK: - Ledgers

    /// What a side's ledger says of a message. Where a log told of it already, the log's finer times stay.
    package mutating func add(_ entry: LedgerEntry, of side: TimelineSide) {
        change(entry.identifier.uuidString, entry.kind) { package in
            let origin = entry.direction == .outgoing ? side : side.other
            package.origin = package.origin ?? origin
            package.bytes = package.bytes ?? Int(entry.bytes)
            package.cause = package.cause ?? entry.cause
            package.queued = package.queued ?? entry.queuedAt
            package.merge(left: entry.sentAt, arrived: entry.receivedAt, .out, from: origin)
            if entry.state == .replied || entry.state == .delivered {
                let end = entry.endedAt ?? entry.deliveredAt
                let isOrigin = entry.direction == .outgoing
                package.merge(left: isOrigin ? nil : end, arrived: isOrigin ? end : nil, .answer, from: origin.other)
            }
            // Of the two sides the sender knows best how it ended.
            if entry.direction == .outgoing || entry.state > package.status { package.status = entry.state }
        }
    }

    // MARK: - The end

    package func timeline() -> Timeline {
        let rest = open.values.flatMap(\.values)
        let found = order.compactMap { packages[$0] }.filter { $0.span != nil }
        return Timeline(
            packages: found.sorted { ($0.span?.lowerBound ?? .distantPast) < ($1.span?.lowerBound ?? .distantPast) },
            bands: (bands + rest).sorted { $0.start < $1.start }, marks: marks)
    }

    private mutating func begin(_ kind: TimelineBand.Kind, _ event: TimelineEvent, note: String) {
        open[event.side, default: [:]][kind] = TimelineBand(
            kind: kind, side: event.side, start: event.time, end: nil, note: note)
    }

    /// Whether there was one to end.
    private mutating func close(_ kind: TimelineBand.Kind, _ event: TimelineEvent, note: String) -> Bool {
        guard var band = open[event.side]?.removeValue(forKey: kind) else { return false }
        band.end = event.time
        if !note.isEmpty { band.note += band.note.isEmpty ? note : ", \(note)" }
        bands.append(band)
        return true
    }

    private mutating func mark(_ kind: TimelineMark.Kind, _ event: TimelineEvent, _ note: String) {
        marks.append(TimelineMark(kind: kind, side: event.side, time: event.time, note: note))
    }
}
