import Foundation

/// The phone's watches: which are known, paired and active, which have the app, and who is let in. A watch has none.
struct Pairing: Sendable {
    /// What follows from an event, in this order.
    enum Change: Equatable, Sendable {
        /// Keep what is known of a watch.
        case record(Companion)
        /// Keep nothing of a watch any more.
        case forget(UUID)
        /// What was queued for whichever watch comes first belongs to this one.
        case adopt(UUID)
        /// A watch was paired, unpaired, became active, or got or lost the app or its complication.
        case watchState(UUID)
        /// Derive anew how a watch stands, or all of them.
        case settle(UUID)
        case settleAll
        /// What is queued for a watch cannot arrive any more: it is no longer paired, or lacks the app.
        case giveUpTransfers(UUID, isPaired: Bool)
        /// Close the connection to a watch, saying why.
        case refuse(UUID, reason: String)
    }

    enum Admission: Equatable, Sendable {
        case admitted([Change])
        case refused(reason: String)
    }

    let policy: CompanionPolicy
    /// The watches as the phone's owner has them.
    private var records: [UUID: Companion]
    /// Watches that said, when they were last heard of, that they lack the app.
    private var watchesWithoutApp: Set<UUID> = []
    private var allowance = PairingAllowance()

    init(_ companions: [Companion], _ policy: CompanionPolicy) {
        self.policy = policy
        records = Dictionary(companions.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - What is known

    /// A watch has the app if neither the phone's owner nor the watch itself removed it.
    var companions: [UUID: Companion] {
        watchesWithoutApp.isEmpty ? records : records.mapValues(asBothHaveIt)
    }

    var active: Companion? { records.values.first { $0.isActive }.map(asBothHaveIt) }

    private func asBothHaveIt(_ companion: Companion) -> Companion {
        guard watchesWithoutApp.contains(companion.identifier) else { return companion }
        var companion = companion
        companion.isAppInstalled = false
        companion.hasComplication = false
        return companion
    }

    /// Whether a watch is taken to be there though none ever came: it is on its way, in a test that starts the phone first.
    var presumesCompanion: Bool { records.isEmpty && policy.pairing == .automatic }

    /// Whether the phone talks to a watch while it talks to any.
    func mayServe(_ watch: UUID) -> Bool {
        guard let companion = records[watch], companion.isPaired, hasApp(companion) else { return false }
        return policy.serving == .all || companion.isActive
    }

    /// Whether a watch that says hello is let in only with the pairing code.
    func mustShowCode(_ watch: UUID) -> Bool { policy.pairing == .code && records[watch]?.isPaired != true }

    /// As the phone's owner has it.
    func companion(_ identifier: UUID) throws(PairingError) -> Companion {
        guard let companion = record(of: identifier) else { throw .unknown(identifier) }
        return companion
    }

    /// The same; nil if the watch is not known.
    func record(of watch: UUID) -> Companion? { records[watch] }

    private func hasApp(_ companion: Companion) -> Bool {
        companion.isAppInstalled && !watchesWithoutApp.contains(companion.identifier)
    }

    // MARK: - From the watches

    /// A watch said hello.
    ///
    /// - Parameters:
    ///   - hasShownCode: Whether it showed the pairing code that holds.
    ///   - isThere: Whether a watch is connected: such a one is not forgotten.
    mutating func admit(
        _ device: Device, hasShownCode: Bool, at time: MonotonicTime, isThere: (UUID) -> Bool
    ) -> Admission {
        let identifier = device.identifier
        var changes: [Change] = []
        let isNew = records[identifier] == nil
        if mustShowCode(identifier) ? hasShownCode : isNew && policy.pairing == .automatic {
            do throws(PairingError) {
                if isNew { changes += try makePlace(hasShownCode: hasShownCode, at: time, isThere) }
            } catch {
                return .refused(reason: "\(error)")
            }
            var companion = records[identifier] ?? Companion(identifier: identifier, name: device.name)
            companion.isPaired = true
            changes += added(companion)
        }
        guard var companion = records[identifier], companion.isPaired else {
            return .refused(
                reason: policy.pairing == .code
                    ? "this watch is not paired: it must show the code of “watchlink watches code” (link.pairingCode)"
                    : "this watch is not paired")
        }
        if companion.name != device.name {
            companion.name = device.name
            records[identifier] = companion
            changes.append(.record(companion))
        }
        return .admitted(changes)
    }

    /// A watch has said whether it has the app: one without it is to the phone as one whose app was removed there.
    mutating func said(isAppInstalled: Bool, by watch: UUID) -> [Change] {
        let former = records[watch].map(hasApp)
        if isAppInstalled {
            watchesWithoutApp.remove(watch)
        } else {
            watchesWithoutApp.insert(watch)
        }
        let present = records[watch].map(hasApp)
        let changes: [Change] = (former == present ? [] : [.watchState(watch)]) + [.settle(watch)]
        return former == true && present == false ? changes + [.giveUpTransfers(watch, isPaired: true)] : changes
    }

    // MARK: - From the phone's owner

    mutating func pair(_ identifier: UUID, isThere: (UUID) -> Bool) throws(PairingError) -> [Change] {
        guard var companion = records[identifier] else {
            return try makeRoom(isThere) + added(Companion(identifier: identifier, name: ""))
        }
        guard !companion.isPaired else { return [] }
        companion.isPaired = true
        return added(companion)
    }

    mutating func unpair(_ identifier: UUID) throws(PairingError) -> [Change] {
        let changes = try update(identifier) {
            $0.isPaired = false
            $0.isActive = false
        }
        return changes.isEmpty
            ? [] : changes + [.giveUpTransfers(identifier, isPaired: false), .refuse(identifier, reason: "unpaired")]
    }

    mutating func setAppInstalled(_ isInstalled: Bool, _ identifier: UUID) throws(PairingError) -> [Change] {
        let changes = try update(identifier) {
            $0.isAppInstalled = isInstalled
            $0.hasComplication = $0.hasComplication && isInstalled
        }
        return isInstalled || changes.isEmpty ? changes : changes + [.giveUpTransfers(identifier, isPaired: true)]
    }

    mutating func setComplication(_ isShown: Bool, _ identifier: UUID) throws(PairingError) -> [Change] {
        try update(identifier) { $0.hasComplication = isShown && $0.isAppInstalled }
    }

    /// The phone talks to this watch from now on, if to one at a time.
    mutating func makeActive(_ identifier: UUID) -> [Change] {
        var changes: [Change] = []
        for var companion in records.values where companion.isActive != (companion.identifier == identifier) {
            companion.isActive = companion.identifier == identifier
            records[companion.identifier] = companion
            changes.append(.record(companion))
        }
        return changes + [.settleAll, .watchState(identifier)]
    }

    // MARK: - Rules

    private mutating func update(
        _ identifier: UUID, _ change: (inout Companion) -> Void
    ) throws(PairingError) -> [Change] {
        let former = try companion(identifier)
        var companion = former
        change(&companion)
        guard companion != former else { return [] }
        records[identifier] = companion
        return [.record(companion), .watchState(identifier), .settle(identifier)]
    }

    /// Makes a place for a watch that comes by itself, which must not happen too often.
    private mutating func makePlace(
        hasShownCode: Bool, at time: MonotonicTime, _ isThere: (UUID) -> Bool
    ) throws(PairingError) -> [Change] {
        guard hasShownCode || allowance.isLeft(at: time) else { throw .tooFast }
        let changes = try makeRoom(isThere)
        if !hasShownCode { allowance.take() }
        return changes
    }

    /// Makes room for another watch, if need be: of those that are not paired, and not there, one goes.
    private mutating func makeRoom(_ isThere: (UUID) -> Bool) throws(PairingError) -> [Change] {
        guard records.count >= LinkLimits.companions else { return [] }
        let forgettable = records.values.filter { !$0.isPaired && !isThere($0.identifier) }
        guard let forgotten = forgettable.map(\.identifier).min(by: { $0.uuidString < $1.uuidString }) else {
            throw .full
        }
        records[forgotten] = nil
        return [.forget(forgotten)]
    }

    private mutating func added(_ companion: Companion) -> [Change] {
        var companion = companion
        let isFirst = records.isEmpty
        companion.isActive = !records.values.contains { $0.isActive }
        records[companion.identifier] = companion
        return [.record(companion)] + (isFirst ? [.adopt(companion.identifier)] : [])
            + [.watchState(companion.identifier), .settle(companion.identifier)]
    }
}
