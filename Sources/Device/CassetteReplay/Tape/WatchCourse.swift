/// The course of a phone's session with its watches, event by event, from which ``TapeWatches`` are made.
struct WatchCourse {
    private(set) var numbers: [Int] = []
    private(set) var present: [PresentWatch] = []
    private(set) var isBeginningKnown = false
    private(set) var hasChanges = false
    private(set) var unexplained: Int?
    private(set) var changes: [(sequence: Int, watch: Int)] = []
    private(set) var switches: [ClosedRange<Int>] = []
    /// The watch that the session is with.
    private var watch: Int?
    /// The watch to which the phone changes.
    private var next: Int?
    /// The position of the change whose watch has not been reached yet.
    private var begin: Int?
    private var isInactive = false
    /// Those to which the phone changed, or whose content had waited, before they connected, if they ever did.
    private var absent: [Int] = []
    private var seen: Set<Int> = []

    /// The numbers of all watches: those that were never connected are the last.
    var known: [Int] {
        var seen = seen
        return numbers + absent.filter { seen.insert($0).inserted }
    }

    mutating func take(_ event: AppEvent) {
        // A recording can begin after a watch has connected.
        if let number = Self.connected(event), seen.insert(number).inserted {
            numbers.append(number)
            // The first one is worn, as is one that is paired while none is.
            if watch == nil, event.kind != PresentWatch.kind { change(to: number, event) }
        }
        switch event.kind {
        case PresentWatch.kind: takePresent(event)
        case "watches": takeAction(event)
        case "didBecomeInactive": isInactive = true
        case "didDeactivate":
            if next == nil, unexplained == nil { unexplained = event.sequence }
            change(to: next ?? watch, event)
            (next, isInactive) = (nil, false)
        // Without an activated session, nobody is asked.
        case "watchStateDidChange" where next != nil && !isInactive:
            change(to: next, event)
            next = nil
        case "reachabilityDidChange" where event.words == "reachable" && next == nil: endSwitch(at: event.sequence)
        default: if let number = event.watch { noteAbsent(number) }
        }
    }

    /// Takes the end of the recording.
    mutating func end(at sequence: Int) { if let begin { endSwitch(at: max(begin, sequence)) } }

    /// Takes what the phone knew when the recording began.
    private mutating func takePresent(_ event: AppEvent) {
        guard let found = PresentWatch(event) else {
            isBeginningKnown = true
            isInactive = event.words == "inactive"
            // The watch to which it was changing had been unpaired: it stays with the former one.
            if isInactive, next == nil { next = watch }
            return
        }
        // It is told again when the first activation has failed.
        guard !present.contains(where: { $0.number == found.number }) else { return }
        present.append(found)
        if found.isActive {
            change(to: found.number, event)
            noteAbsent(found.number)
        }
        if found.isNext {
            (next, begin) = (found.number, event.sequence)
            noteAbsent(found.number)
        }
    }

    private mutating func takeAction(_ event: AppEvent) {
        hasChanges = true
        let words = (event.words ?? "").split(separator: " ").map(String.init)
        guard words.count > 1, let number = TapeWatches.number(words[1]) else { return }
        switch words[0] {
        case "switch" where number != watch:
            // A watch that is not there was never reached.
            endSwitch(at: event.sequence)
            (next, begin) = (number, event.sequence)
            noteAbsent(number)
        case "pair" where watch == nil:
            change(to: number, event)
            noteAbsent(number)
        case "unpair" where number == watch: watch = nil
        // The session stays with the former one.
        case "unpair" where number == next: next = watch
        default: break
        }
    }

    private mutating func change(to new: Int?, _ event: AppEvent) {
        watch = new
        if let new { changes.append((event.sequence, new)) }
    }

    private mutating func endSwitch(at sequence: Int) {
        if let begin { switches.append(begin...sequence) }
        begin = nil
    }

    private mutating func noteAbsent(_ number: Int) { if !seen.contains(number) { absent.append(number) } }

    /// Returns the watch that an event shows to be connected.
    private static func connected(_ event: AppEvent) -> Int? {
        switch event.role {
        case .link where event.kind == "connected": event.package
        case .link where event.kind == PresentWatch.kind:
            PresentWatch(event).flatMap { $0.isConnected ? $0.number : nil }
        case .link, .notice: event.watch
        default: nil
        }
    }
}
