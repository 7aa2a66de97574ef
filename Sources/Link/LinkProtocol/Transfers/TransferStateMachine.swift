package import Foundation

/// The transfers on their way out, to all counterparts: what is sent when, what becomes of it, and that an end is written down
/// before it is told.
///
/// It holds identifiers, kinds and places in the queue only; payloads and files stay in the store.
package struct TransferStateMachine: Sendable {
    package typealias Entry = TransferQueues.Entry

    /// What a transfer came to.
    package struct Ending: Equatable, Sendable {
        package let identifier: UUID
        package let outcome: OutboxStateMachine.Outcome
        /// Of a failure: a number of `WCError.Code`.
        package let code: Int?

        package init(identifier: UUID, outcome: OutboxStateMachine.Outcome, code: Int? = nil) {
            self.identifier = identifier
            self.outcome = outcome
            self.code = code
        }

        /// What the receiver answered. A failure without a code asks to be sent again.
        package init(_ transfer: UUID, _ answer: MessagePackage) {
            let reason = answer.errorMessage ?? "it failed without a reason"
            let outcome: OutboxStateMachine.Outcome =
                switch (answer.status, answer.errorCode) {
                case (.replied, _): .replied
                case (_, nil): .unavailable(reason: reason)
                case (_, _?): .refused(reason: reason)
                }
            self.init(identifier: transfer, outcome: outcome, code: answer.errorCode)
        }
    }

    package struct Item: Equatable, Sendable {
        package fileprivate(set) var peer: UUID
        package fileprivate(set) var kind: TransferKind
        package let position: Int64
        /// A newer context has taken its place: it arrives by the try that is under way, or never.
        fileprivate var isReplaced = false

        package init(peer: UUID, kind: TransferKind, position: Int64) {
            self.peer = peer
            self.kind = kind
            self.position = position
        }
    }

    package enum Action: Equatable, Sendable {
        /// Read it from the store and send it; ``vanished(_:at:)`` if it is not there.
        case transmit(Entry, Item, to: UUID)
        /// The try is over: no more of a file is to be sent.
        case stop(UUID)
        /// Tell a device that a transfer will not come.
        case withdraw(UUID, from: UUID)
        /// Write these ends down, then call ``recorded(at:)``, or ``recordFailed(at:)``. Nothing new is sent until it works, and no
        /// other such action comes.
        case record([Ending])
        /// It is over, and that is durable: tell the application.
        case finished(Ending, Item)
        case retry(Entry, Item, reason: String)
        /// Its connection is gone; it waits again.
        case interrupted(Entry, Item, device: UUID)
        /// A newer context took its place.
        case coalesced(UUID, Item, by: UUID)
        /// It is no longer the complication's current transfer: it waits like any other.
        case calm(UUID)
    }

    private var queues: [UUID: TransferQueues] = [:]
    private var items: [UUID: Item] = [:]
    /// The device behind each counterpart that takes transfers now.
    private var devices: [UUID: UUID] = [:]
    private var recorder = EndRecorder<Ending>()
    /// Counterparts whose queues moved while ends were not written down.
    private var moved: Set<UUID> = []
    private var currentComplications: [UUID: UUID] = [:]
    private let backoff: Backoff
    private let patience: Duration

    package init(backoff: Backoff, times: LinkTimes) {
        self.backoff = backoff
        patience = times.acknowledgement
    }

    /// Transfers that are not over.
    package var pendingCount: Int { items.count }

    /// Whether some were queued for whichever counterpart comes first.
    package var hasUnaddressed: Bool { (queues[.unknownPeer]?.pendingCount ?? 0) > 0 }

    // MARK: - From the application

    /// Takes up what an earlier run left.
    package mutating func load(_ identifier: UUID, _ item: Item) { insert(identifier, item) }

    /// A transfer is durable.
    ///
    /// - Parameter replaced: The context whose place it took.
    package mutating func queued(
        _ identifier: UUID, _ item: Item, replacing replaced: UUID?, at time: MonotonicTime, jitter: Double
    ) -> [Action] {
        var actions: [Action] = []
        if let replaced { actions += coalesce(replaced, by: identifier, at: time, jitter: jitter) }
        if item.kind == .complication, let former = currentComplications[item.peer] {
            queues[item.peer]?.calmed(former)
            items[former]?.kind = .userInfo
            actions.append(.calm(former))
        }
        insert(identifier, item)
        return actions + transmit(to: item.peer, at: time)
    }

    /// A transfer is durable, and is to end like this without being sent.
    package mutating func queued(_ item: Item, ending: Ending, at time: MonotonicTime) -> [Action] {
        // It is in no queue, so that nothing sends it.
        items[ending.identifier] = item
        recorder.add(ending)
        return record(at: time)
    }

    /// The application takes a transfer back; nil if it is over, or on its way to be.
    package mutating func cancelled(_ identifier: UUID, at time: MonotonicTime, jitter: Double) -> (Item, [Action])? {
        guard let item = items[identifier] else { return nil }
        let isUnderWay = queues[item.peer]?.isUnderWay(identifier, item.kind) == true
        guard withdraw(identifier, item, at: time, jitter: jitter) else { return nil }
        items[identifier] = nil
        var actions: [Action] = [.stop(identifier)]
        if isUnderWay, let device = devices[item.peer] { actions.append(.withdraw(identifier, from: device)) }
        return (item, actions + transmit(to: item.peer, at: time))
    }

    // MARK: - From the link

    /// A counterpart's device takes transfers from now on, or does not any more.
    package mutating func availabilityChanged(
        _ isAvailable: Bool, of device: UUID, for peer: UUID, at time: MonotonicTime
    ) -> [Action] {
        devices[peer] = isAvailable ? device : nil
        var actions: [Action] = []
        for entry in queues.change(peer, { $0.availabilityChanged(isAvailable) }) ?? [] {
            guard let item = items[entry.identifier] else { continue }
            actions.append(.stop(entry.identifier))
            guard !item.isReplaced else {
                drop(entry.identifier, item, at: time, jitter: 0)
                continue
            }
            actions.append(.interrupted(entry, item, device: device))
        }
        return actions + transmit(to: peer, at: time)
    }

    /// What was queued for whichever watch comes first is for this one.
    package mutating func adopted(by peer: UUID, at time: MonotonicTime) -> [Action] {
        queues[.unknownPeer] = nil
        for (identifier, item) in items.filter({ $0.value.peer == .unknownPeer }).sorted(by: {
            $0.value.position < $1.value.position
        }) {
            insert(identifier, Item(peer: peer, kind: item.kind, position: item.position))
        }
        moved.insert(peer)
        return record(at: time)
    }

    /// Nothing that waits for a counterpart can arrive any more.
    package mutating func gaveUp(
        _ peer: UUID, reason: String, code: Int, at time: MonotonicTime, jitter: Double
    ) -> [Action] {
        var actions: [Action] = []
        for (identifier, item) in items.filter({ $0.value.peer == peer }).sorted(by: {
            $0.value.position < $1.value.position
        }) where withdraw(identifier, item, at: time, jitter: jitter) {
            actions.append(.stop(identifier))
            recorder.add(Ending(identifier: identifier, outcome: .refused(reason: reason), code: code))
        }
        return actions + record(at: time)
    }

    /// The receiver of a file has more of it.
    package mutating func progressed(_ identifier: UUID, at time: MonotonicTime) {
        guard let item = items[identifier] else { return }
        _ = queues.change(item.peer) { $0.progressed(identifier, item.kind, at: time) }
    }

    /// What waits on the link to a counterpart is not lost: some of what was before it has arrived.
    package mutating func delivering(to peer: UUID, at time: MonotonicTime) { queues[peer]?.delivering(at: time) }

    /// Tries are over.
    package mutating func ended(_ endings: [Ending], at time: MonotonicTime, jitter: Double) -> [Action] {
        var actions: [Action] = []
        for ending in endings {
            guard let item = items[ending.identifier] else { continue }
            moved.insert(item.peer)
            let action = queues.change(item.peer) {
                $0.settled(ending.identifier, item.kind, ending.outcome, at: time, jitter: jitter)
            }
            switch action {
            case .finish, .giveUp: recorder.add(ending)
            case .retry where item.isReplaced:
                drop(ending.identifier, item, at: time, jitter: jitter)
                actions.append(.stop(ending.identifier))
            case .retry(let entry, let reason):
                actions += [.stop(ending.identifier), .retry(entry, item, reason: reason)]
            case .ignore, nil: break
            }
        }
        return actions + record(at: time)
    }

    /// The store does not have it: a newer context is about to take its place, or its record cannot be read.
    package mutating func vanished(_ identifier: UUID, at time: MonotonicTime) -> [Action] {
        guard let item = items[identifier] else { return [] }
        // Wherever it is by now: its connection may have gone meanwhile, and then it waits again.
        drop(identifier, item, at: time, jitter: 0)
        return transmit(to: item.peer, at: time)
    }

    // MARK: - From the store

    /// The ends could not be written down: they are tried again after ``EndRecorder/retryDelay``.
    package mutating func recordFailed(at time: MonotonicTime) { recorder.failed(at: time) }

    private mutating func record(at time: MonotonicTime) -> [Action] {
        guard !recorder.isEmpty else { return transmitMoved(at: time) }
        return recorder.next(at: time).map { [.record($0)] } ?? []
    }

    /// The ends that were to be written down are durable.
    package mutating func recorded(at time: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        for ending in recorder.recorded() {
            guard let item = items.removeValue(forKey: ending.identifier) else { continue }
            if currentComplications[item.peer] == ending.identifier { currentComplications[item.peer] = nil }
            actions.append(.finished(ending, item))
        }
        // What ended meanwhile has its own turn.
        return actions + record(at: time)
    }

    // MARK: - Time

    package mutating func deadlinePassed(at time: MonotonicTime, jitter: Double) -> [Action] {
        let lost = queues.values.flatMap { $0.overdue(at: time) }.map {
            Ending(identifier: $0, outcome: .unavailable(reason: "no word of it for \(patience.inSeconds) s"))
        }
        moved.formUnion(devices.keys)
        return ended(lost, at: time, jitter: jitter)
    }

    /// When ``deadlinePassed(at:jitter:)`` has something to do. As long as ends are not written down nothing is sent, and only
    /// their next try counts.
    package var nextDeadline: MonotonicTime? {
        guard recorder.isEmpty else { return recorder.nextDeadline }
        var next: MonotonicTime?
        for queue in queues.values { next.bringForward(to: queue.nextDeadline) }
        return next
    }

    // MARK: - Rules

    private mutating func insert(_ identifier: UUID, _ item: Item) {
        items[identifier] = item
        if item.kind == .complication { currentComplications[item.peer] = identifier }
        let entry = Entry(identifier: identifier, position: item.position, isUrgent: item.kind == .complication)
        // In place: a queue that is taken out and put back would be copied, however much waits in it.
        if queues[item.peer] == nil { queues[item.peer] = newQueue(for: item.peer) }
        _ = queues.change(item.peer) { $0.inserted(entry, item.kind) }
    }

    private func newQueue(for peer: UUID) -> TransferQueues {
        var queue = TransferQueues(backoff: backoff, patience: patience)
        _ = queue.availabilityChanged(devices[peer] != nil)
        return queue
    }

    /// Whether the transfer was not over, and is out of the queue now.
    private mutating func withdraw(
        _ identifier: UUID, _ item: Item, at time: MonotonicTime, jitter: Double
    ) -> Bool {
        guard queues[item.peer]?.cancelled(identifier, item.kind, at: time, jitter: jitter) == true else {
            return false
        }
        if currentComplications[item.peer] == identifier { currentComplications[item.peer] = nil }
        return true
    }

    /// A newer context waits; the former arrives only if it is under way already.
    private mutating func coalesce(
        _ former: UUID, by newer: UUID, at time: MonotonicTime, jitter: Double
    ) -> [Action] {
        guard let item = items[former] else { return [] }
        if queues[item.peer]?.isUnderWay(former, .context) == true {
            items[former]?.isReplaced = true
        } else {
            guard withdraw(former, item, at: time, jitter: jitter) else { return [] }
            items[former] = nil
        }
        return [.coalesced(former, item, by: newer)]
    }

    /// It is not sent again, and nobody waits for its end: what became of it was written down when it was replaced.
    private mutating func drop(_ identifier: UUID, _ item: Item, at time: MonotonicTime, jitter: Double) {
        _ = queues[item.peer]?.cancelled(identifier, item.kind, at: time, jitter: jitter)
        items[identifier] = nil
    }

    private mutating func transmitMoved(at time: MonotonicTime) -> [Action] {
        let peers = moved
        moved.removeAll(keepingCapacity: true)
        return peers.flatMap { transmit(to: $0, at: time) }
    }

    private mutating func transmit(to peer: UUID, at time: MonotonicTime) -> [Action] {
        // What was queued before there was any watch has its place ahead of what was queued for the first one since.
        guard recorder.isEmpty, peer == .unknownPeer || !hasUnaddressed else {
            moved.insert(peer)
            return []
        }
        guard let device = devices[peer] else { return [] }
        return (queues.change(peer) { $0.transmit(at: time) } ?? []).compactMap { entry in
            items[entry.identifier].map { .transmit(entry, $0, to: device) }
        }
    }
}
