import Foundation

/// The phone's record of its watches: known, paired, active, with or without the app. Empty on a watch.
struct Pairing: Equatable, Sendable {
    /// A consequence of an event, in order.
    enum Change: Equatable, Sendable {
        /// Store the record of a watch; if it is the active one, no other is from then on.
        case record(Companion)
        /// Delete the record of a watch.
        case forget(UUID)
        /// Assign the content queued for the first watch to this one.
        case adopt(UUID)
        /// A watch was paired, unpaired, became active, or its app or complication was added or removed.
        case watchState(UUID)
        /// Recompute the reachability of a watch, or of all.
        case settle(UUID)
        case updateAllReachability
        /// Fail everything queued for a watch that is no longer paired, or has no app any more.
        case giveUpTransfers(UUID, isPaired: Bool)
        /// Close the connection to a watch, with the reason.
        case refuse(UUID, reason: String)
    }

    enum Admission: Equatable, Sendable {
        case admitted([Change])
        case refused(reason: String)
    }

    let policy: CompanionPolicy
    /// The watches, with the changes made on the phone.
    private var records: [IdentifierKey: Companion]
    /// The watches that last reported the app as missing.
    private var watchesWithoutApp: Set<IdentifierKey> = []
    private var allowance = PairingAllowance()

    init(_ companions: [Companion], _ policy: CompanionPolicy) {
        self.policy = policy
        records = Dictionary(
            companions.map { (IdentifierKey($0.identifier), $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - State

    /// The watches; a watch has the app unless it was removed on the phone or on the watch itself.
    var companions: [IdentifierKey: Companion] {
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

    /// True if a watch is assumed to exist although none has connected, as in a test that starts the phone first.
    var presumesCompanion: Bool { records.isEmpty && policy.pairing == .automatic }

    /// True if the phone may serve a watch.
    func mayServe(_ watch: UUID) -> Bool {
        guard let companion = records[watch], companion.isPaired, hasApp(companion) else { return false }
        return policy.serving == .all || companion.isActive
    }

    /// True if a watch must send the pairing code with its hello.
    func mustShowCode(_ watch: UUID) -> Bool { policy.pairing == .code && records[watch]?.isPaired != true }

    /// Returns the phone's record of a watch.
    ///
    /// - Throws: ``PairingError/unknown(_:)``.
    func companion(_ identifier: UUID) throws(PairingError) -> Companion {
        guard let companion = record(of: identifier) else { throw .unknown(identifier) }
        return companion
    }

    /// Returns the phone's record of a watch; nil if it is unknown.
    func record(of watch: UUID) -> Companion? { records[watch] }

    private func hasApp(_ companion: Companion) -> Bool {
        companion.isAppInstalled && !watchesWithoutApp.contains(companion.identifier)
    }

    // MARK: - From the watches

    /// Decides whether to admit a watch that has sent its hello.
    ///
    /// - Parameters:
    ///   - hasShownCode: True if it sent the valid pairing code.
    ///   - isThere: Returns true if a watch is connected; connected watches are not removed to make room.
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

    /// Records a watch's report about its app; a missing app counts as removed on the phone.
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

    /// Makes a watch the active one, the only one served under ``CompanionPolicy/Serving/active``.
    ///
    /// Only its record is stored: the store makes the others inactive in the same commit, so that a crash leaves one.
    mutating func makeActive(_ identifier: UUID) -> [Change] {
        var changes: [Change] = []
        for var companion in records.values where companion.isActive != (companion.identifier == identifier) {
            companion.isActive = companion.identifier == identifier
            records[companion.identifier] = companion
            if companion.isActive { changes.append(.record(companion)) }
        }
        return changes + [.updateAllReachability, .watchState(identifier)]
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

    /// Makes room for a watch that pairs automatically, at a limited rate.
    private mutating func makePlace(
        hasShownCode: Bool, at time: MonotonicTime, _ isThere: (UUID) -> Bool
    ) throws(PairingError) -> [Change] {
        guard hasShownCode || allowance.isLeft(at: time) else { throw .tooFast }
        let changes = try makeRoom(isThere)
        if !hasShownCode { allowance.take() }
        return changes
    }

    /// Makes room for another watch if necessary, by removing one that is neither paired nor connected.
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
