import DeviceShell
import EventLog
package import Foundation
package import LinkProtocol
import LinkTransport
import QuizSync
import Services
import WatchConnectivity

/// Assembles a timeline. Events must be added in the order of their times, across all logs.
package struct TimelineBuilder {
    /// The most packages that are drawn; the oldest finished ones are dropped. 20,000: a page of some 20 MB, which
    /// browsers still scroll smoothly.
    package static let capacity = 20_000

    private let since: Date?
    private var packages: PackageTable
    private var omitted = 0
    /// The open bands, by the process whose log reported them.
    private var open: [TimelineOwner: [TimelineBand]] = [:]
    private var bands: [TimelineBand] = []
    private var marks: [TimelineMark] = []
    /// The time of each process's last log line.
    private var lastWords: [TimelineOwner: Date] = [:]
    private var names = WatchNames()

    /// Creates a builder.
    ///
    /// - Parameter since: The time before which finished packages and bands are left out; those that continued are
    ///   kept.
    package init(since: Date? = nil, capacity: Int = Self.capacity) {
        self.since = since
        packages = PackageTable(capacity: max(1, capacity))
    }

    // MARK: - Logs

    package mutating func add(_ event: TimelineEvent) {
        let life = event.life
        if lastWords[life] == nil, event.event != .starting {
            begin(.running, event, note: "was running before its log begins")
        }
        defer { lastWords[life] = event.time }
        switch event.event {
        case .starting: start(event)
        case .stopped:
            for kind in TimelineBand.Kind.allCases {
                close(kind, of: life, at: event.time, note: kind == .running ? "stopped" : "")
            }
            mark(.stop, event, "stopped")
        case .reachabilityChanged:
            close(.reachable, of: life, event.counterpart, at: event.time)
            if event.fields["reachable"] == "true" || event.fields["reachable"] == "1" {
                begin(.reachable, event, event.counterpart, note: "reachable")
            }
        case .linkConditioned:
            close(.condition, of: life, event.counterpart, at: event.time)
            let words = event.fields["condition"] ?? ""
            if words != "perfect" { begin(.condition, event, event.counterpart, note: words) }
        case .linkFlapped: mark(.fault, event, "the link is \(event.fields["reason"] ?? "changed")")
        case .faultInjected:
            let words = event.fields["fault"] ?? "a fault"
            if let identifier = event.fields["package"] {
                change(identifier, "message", event.watch) { $0.faults.append(words) }
            }
            mark(.fault, event, words)
        default:
            if event.event.level <= .warning, event.fields["package"] == nil {
                let why = event.fields["error"] ?? event.fields["reason"] ?? ""
                mark(.trouble, event, "\(event.event.text) \(why)")
            }
            addPackage(event)
        }
    }

    private mutating func start(_ event: TimelineEvent) {
        // A process that starts again without having stopped is known to have lived until its last line.
        if let last = lastWords[event.life], close(.running, of: event.life, at: last, note: "crashed or was killed") {
            for kind in TimelineBand.Kind.allCases { close(kind, of: event.life, at: last) }
            marks.append(TimelineMark(kind: .crash, life: event.life, time: last, note: "crashed or was killed"))
        }
        let version = event.fields["version"] ?? ""
        begin(.running, event, note: version)
        mark(.start, event, "starting \(version)")
    }

    private mutating func addPackage(_ event: TimelineEvent) {
        guard let identifier = event.fields["package"] else { return }
        let kind = event.event.subsystem == .quizzes ? "quiz" : event.fields["kind"] ?? "message"
        change(identifier, kind, event.watch) { $0.take(event) }
    }

    private mutating func change(
        _ identifier: String, _ kind: String, _ watch: String?, _ body: (inout TimelinePackage) -> Void
    ) {
        let (slot, dropped) = packages.slot(of: identifier, kind: kind)
        if let dropped, isShown(dropped.span?.upperBound) { omitted += 1 }
        let known = packages[slot].watch
        names.meet(known, watch)
        packages[slot].watch = names.better(known, watch)
        // A quiz travels in a message with its identifier: keep the more specific kind.
        if kind == "quiz" || packages[slot].kind == "message" { packages[slot].kind = kind }
        body(&packages[slot])
    }

    // MARK: - Ledgers

    /// Adds a side's ledger entry of a message.
    ///
    /// - Parameter watch: The watch whose ledger it is, if it is a watch's.
    package mutating func add(_ entry: LedgerEntry, of side: TimelineSide, watch: String = "") {
        let identifier = entry.identifier.uuidString
        // A dropped package must not reappear with only part of its data.
        guard omitted == 0 || packages.contains(identifier) else { return }
        let watch = side == .companion ? watch : entry.device?.uuidString
        change(identifier, entry.kind, watch) { $0.note(entry, of: side) }
    }

    // MARK: - Result

    package func timeline() -> Timeline {
        var found: [TimelinePackage] = []
        for var package in packages.packages {
            package.resolve()
            package.watch = names.final(package.watch)
            if isShown(package.span?.upperBound) { found.append(package) }
        }
        var timeline = Timeline(
            packages: found.sorted {
                ($0.span?.lowerBound ?? .distantPast, $0.identifier) < (
                    $1.span?.lowerBound ?? .distantPast, $1.identifier
                )
            },
            bands: (bands + open.values.flatMap(\.self)).compactMap(shown).sorted { $0.start < $1.start },
            marks: marks.filter { isShown($0.time) }, omitted: omitted)
        for index in timeline.bands.indices { timeline.bands[index].life = names.final(timeline.bands[index].life) }
        for index in timeline.marks.indices { timeline.marks[index].life = names.final(timeline.marks[index].life) }
        // With one watch, a phone's message without a watch's name can only concern that watch.
        if case let watches = timeline.watches, watches.count == 1 {
            for index in timeline.packages.indices where timeline.packages[index].watch == nil {
                timeline.packages[index].watch = watches[0]
            }
        }
        return timeline
    }

    private func isShown(_ time: Date?) -> Bool {
        guard let time else { return false }
        return since.map { time >= $0 } ?? true
    }

    /// Returns a band cut to the start of the picture; nil if it ended earlier.
    private func shown(_ band: TimelineBand) -> TimelineBand? {
        guard let since else { return band }
        guard isShown(band.end ?? lastWords[band.life]) else { return nil }
        var band = band
        band.start = max(band.start, since)
        return band
    }

    // MARK: - Bands and marks

    private mutating func begin(
        _ kind: TimelineBand.Kind, _ event: TimelineEvent, _ counterpart: String? = nil, note: String
    ) {
        open[event.life, default: []].append(
            TimelineBand(
                kind: kind, life: event.life, counterpart: counterpart, start: event.time, end: nil, note: note))
    }

    /// Closes the open bands of a kind.
    ///
    /// - Parameter counterpart: The watch whose band is closed; nil for all.
    /// - Returns: True if a band was open.
    @discardableResult
    private mutating func close(
        _ kind: TimelineBand.Kind, of life: TimelineOwner, _ counterpart: String? = nil, at time: Date,
        note: String = ""
    ) -> Bool {
        let isMeant = { (band: TimelineBand) in
            band.kind == kind && (counterpart == nil || band.counterpart == counterpart)
        }
        let ended = (open[life] ?? []).filter(isMeant)
        open[life]?.removeAll(where: isMeant)
        for var band in ended {
            band.end = time
            if !note.isEmpty { band.note += band.note.isEmpty ? note : ", \(note)" }
            bands.append(band)
        }
        return !ended.isEmpty
    }

    private mutating func mark(_ kind: TimelineMark.Kind, _ event: TimelineEvent, _ note: String) {
        marks.append(TimelineMark(kind: kind, life: event.life, time: event.time, note: note))
    }
}
