package import Cassettes
import LinkProtocol

/// The events of one app in a cassette: what it did, and what it was told.
package struct AppTape: Sendable {
    package let side: String
    package let events: [AppEvent]
    /// The positions of the app's deeds that another app's deeds were caused by: the deliveries that follow from an
    /// answer to them. From a cassette of both sides only.
    package let origins: [Int: Int]
    /// Microseconds from the start of the recording to the app's activation, where the times of its events begin.
    package let start: Int64
    /// The duration in microseconds.
    package let duration: Int64
    /// The time just before the last loss of the link, if the recording ends with it, or else that just after the last event.
    package let end: Int64
    /// The watches of a phone.
    package let watches: TapeWatches
    /// True if the recording says which watch its messages and transfers were of, as that of a phone that serves several
    /// watches at the same time does.
    package let namesWatches: Bool
    /// True if the recording says when packages were handed to the link, and when they arrived.
    private let tellsPackages: Bool
    /// The events of each message and transfer, by their indices.
    private let packages: [Int: [Int]]

    /// Creates the tape of a side; nil if the cassette has no event of it.
    package init?(_ cassette: Cassette, side: String) {
        self.init(side, cassette.events, cassette.contents.mapValues(\.value))
    }

    /// Creates the tape of a side from all events of a cassette; nil if there is none of it.
    init?(_ side: String, _ all: [CassetteEvent], _ contents: [String: RedactedValue]) {
        guard let first = all.first(where: { $0.side == side }) else { return nil }
        // Before it, an app is told of nothing, and has no link; a later one follows a change of watches.
        let activation = all.first { event in
            guard event.side == side, let role = EventRole(kind: event.kind) else { return false }
            return role == .activation || role == .link || role.isOccasion
        }
        begins = activation.map { EventRole(kind: $0.kind) == .activation } ?? false
        let start = begins ? activation?.time ?? first.time : first.time
        (self.side, self.start) = (side, start)
        let links = CauseLinks(all, side: side)
        let closing = Self.closing(of: all.filter { $0.side == side })
        var events: [AppEvent] = []
        for event in all where event.side == side {
            guard let role = EventRole(kind: event.kind) else { continue }
            if let closing, role.isDeed, event.sequence > closing.sequence { continue }
            events.append(
                AppEvent(
                    sequence: event.sequence, time: max(0, event.time - start), kind: event.kind, role: role,
                    package: event.package, watch: event.watch, content: event.content.flatMap { contents[$0] },
                    bytes: event.bytes,
                    error: event.error, wantsReply: event.wantsReply != nil, words: event.words,
                    occasion: links.occasion(of: event)))
        }
        self.events = events
        packages = Self.packages(events)
        tellsPackages = events.contains { $0.kind == "write" || $0.kind == "read" }
        watches = TapeWatches(side == "phone" ? events : [])
        namesWatches = events.contains { $0.watch != nil }
        origins = events.reduce(into: [:]) { origins, event in
            guard case .delivery = event.role else { return }
            origins[event.sequence] = links.origin(of: event.sequence)
        }
        duration = max(0, (all.last { $0.side == side }?.time ?? start) - start)
        // What is due at the same moment as the loss of the link is done, or not.
        end = closing.map { max(0, $0.time - start - OrderEvidence.moment) } ?? duration + OrderEvidence.moment
    }

    /// The microseconds in which the programs of a recording end. 1 s: explorations and scenarios give them no more.
    private static let closingTime: Int64 = 1_000_000

    /// Returns the loss of the link with which the recording ends, if it does: what the app does after it, it does because its
    /// counterpart has been ended, too.
    private static func closing(of events: [CassetteEvent]) -> CassetteEvent? {
        guard let last = events.last else { return nil }
        let links = events.reversed().prefix { last.time - $0.time <= closingTime && $0.kind != "connected" }
        return links.last { $0.kind == "disconnected" }
    }

    /// Creates the part of a phone's tape that one of several watches had.
    private init(_ whole: AppTape, of watch: Int) {
        (side, origins, start, duration) = (whole.side, whole.origins, whole.start, whole.duration)
        (watches, namesWatches, begins) = (whole.watches, whole.namesWatches, whole.begins)
        (tellsPackages, end) = (whole.tellsPackages, whole.end)
        events = whole.events.filter { event in
            switch event.role {
            case .action, .activation: true
            case .link where event.isOfDevice: event.package == watch
            case .notice where event.watch != nil: event.watch == watch
            case .notice:
                whole.watches.watch(at: event.sequence) == watch && !whole.watches.isSwitching(at: event.sequence)
            default: whole.watch(of: event) == watch
            }
        }
        packages = Self.packages(events)
    }

    private static func packages(_ events: [AppEvent]) -> [Int: [Int]] {
        events.indices.reduce(into: [:]) { packages, index in
            if let package = events[index].package { packages[package, default: []].append(index) }
        }
    }

    // MARK: - Several watches

    /// True for a phone that had several watches.
    package var hasSeveralWatches: Bool { watches.known.count > 1 }

    /// Returns what one of a phone's watches had: its messages and transfers, its link, and all actions on the phone.
    package func part(of watch: Int) -> AppTape { hasSeveralWatches ? AppTape(self, of: watch) : self }

    /// Returns the watch of a message or transfer: the one that the recording names, else the one that the session was with
    /// when its first package was written or read, else when it was started.
    func watch(of event: AppEvent) -> Int? {
        if let named = event.watch ?? first(of: event.package, where: { $0.watch != nil })?.watch { return named }
        let first = first(of: event.package) { $0.kind == "write" || $0.kind == "read" } ?? event
        return watches.watch(at: first.sequence) ?? watches.numbers.first
    }

    /// Returns the name of the watch that an event was with, if there were several.
    package func watchName(at sequence: Int) -> String? {
        guard hasSeveralWatches, let event = event(at: sequence) else { return nil }
        return watchName(of: event)
    }

    /// Returns the name of the watch that an event was with.
    package func watchName(of event: AppEvent) -> String? {
        // What a phone does that serves several at the same time, such as its activation, can be of none.
        if namesWatches, event.package ?? event.watch == nil { return nil }
        return watch(of: event).map(watches.name)
    }

    // MARK: - Looking up

    /// Returns the other one of the phone and the watch.
    package static func counterpart(of side: String) -> String { side == "phone" ? "watch" : "phone" }

    /// True if the app's session was activated while it was recorded, so that a replay can begin where it began.
    package let begins: Bool

    /// The deeds of the app that a counterpart, or the system, can notice. Answers to what had come before the recording
    /// began are none: no replay can ask for them.
    var deeds: [AppEvent] {
        events.filter { event in
            guard event.role == .answer || event.role == .droppedAnswer else { return event.role.isDeed }
            return begins || delivery(of: event.package) != nil
        }
    }

    /// Returns the event at a position of the cassette.
    package func event(at sequence: Int) -> AppEvent? {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low < events.count && events[low].sequence == sequence ? events[low] : nil
    }

    /// Returns the first event of a message or transfer with a property.
    func first(of package: Int?, where isWanted: (AppEvent) -> Bool) -> AppEvent? {
        guard let package else { return nil }
        return packages[package]?.lazy.map { events[$0] }.first(where: isWanted)
    }

    /// Returns the outcome that the app was told of for a message or transfer, or the refusal.
    func outcome(of package: Int?) -> AppEvent? {
        first(of: package) { $0.role == .outcome || $0.role == .refusal }
    }

    /// Returns the app's call that started a message or transfer.
    func call(of package: Int?) -> AppEvent? { first(of: package) { $0.role.isCall } }

    /// Returns the app's answer to a message.
    func answer(to package: Int?) -> AppEvent? { first(of: package) { $0.role == .answer } }

    /// Returns true if the link went down between two events.
    func hasLostLink(between first: AppEvent, _ last: AppEvent) -> Bool {
        events.contains { $0.kind == "disconnected" && (first.sequence...last.sequence).contains($0.sequence) }
    }

    /// Returns true if a message or transfer was lost, or its acknowledgement: by a fault, with the link before the app was told
    /// of its outcome, or on the way. A message for which no reply is wanted is acknowledged by the other device itself.
    func isLost(_ call: AppEvent, until outcome: AppEvent) -> Bool {
        first(of: call.package) { $0.role == .fault } != nil || hasLostLink(between: call, outcome)
            || isUnacknowledged(call) || isTooLate(call)
    }

    /// Returns true for a message or transfer that the app started just after the link had gone down: a moment earlier, it would
    /// have met it.
    private func isTooLate(_ call: AppEvent) -> Bool {
        !hasLeft(call)
            && events.contains {
                $0.kind == "disconnected" && $0.sequence < call.sequence && call.time - $0.time <= Self.writing
            }
    }

    /// Returns true for a message for which the app wanted no reply, and waited in vain for the other device's acknowledgement.
    func isUnacknowledged(_ call: AppEvent) -> Bool {
        guard case .call(let channel) = call.role, channel == .message || channel == .data, !call.wantsReply else {
            return false
        }
        return outcome(of: call.package)?.error == SessionErrorCode.messageReplyTimedOut.rawValue
    }

    /// Returns true if an answer was handed to the link.
    func isWritten(_ answer: AppEvent) -> Bool {
        first(of: answer.package) { $0.kind == "write" && $0.sequence > answer.sequence && $0.error == nil } != nil
    }

    /// Returns true if a message or transfer of the app was handed to the link before a position, or lost there. One that was
    /// not can neither have arrived nor have caused anything. A recording without packages does not tell, so all count.
    func hasLeft(_ call: AppEvent, before sequence: Int = .max) -> Bool {
        departure(of: call).map { $0.sequence < sequence } ?? false
    }

    /// Returns the event in which a message or transfer of the app was handed to the link, or lost there; nil if it was not.
    func departure(of call: AppEvent) -> AppEvent? {
        tellsPackages ? first(of: call.package) { $0.kind == "write" || $0.role == .fault } : call
    }

    /// The microseconds between an answer and a loss of the link that may have met it. 100 ms: it is written in less than one.
    private static let writing: Int64 = 100_000

    /// Returns true if the link went down before an answer could be handed to it.
    func isCutOff(_ answer: AppEvent) -> Bool {
        let first = delivery(of: answer.package) ?? answer
        return events.contains {
            $0.kind == "disconnected" && $0.sequence > first.sequence && $0.time - answer.time <= Self.writing
        }
    }

    /// Returns true for the arrival of something from the counterpart: its package, or without packages what the app was told.
    func isArrival(_ event: AppEvent) -> Bool {
        if tellsPackages { return event.kind == "read" }
        if case .delivery = event.role { return true }
        return event.kind == "replyHandler"
    }

    /// Returns the arrival of what was delivered to the app: its package, or without packages the delivery itself.
    func arrival(of delivery: AppEvent) -> AppEvent {
        first(of: delivery.package) { $0.kind == "read" && $0.sequence < delivery.sequence } ?? delivery
    }

    /// Returns the delivery of a message to the app.
    func delivery(of package: Int?) -> AppEvent? {
        first(of: package) { event in if case .delivery = event.role { true } else { false } }
    }
}
