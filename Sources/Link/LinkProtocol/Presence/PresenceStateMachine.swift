package import Foundation

/// Who is there and may be talked to: a session's activation, its app's life, the paired watches and the switch between them.
///
/// Events change what is known; what follows for a counterpart (its ``Standing``) is derived from that in one place, and each
/// difference becomes an action. Apple's rules are not symmetric: the watch's app must be in the foreground for either side
/// to reach the other, the phone's need not even run, as a message wakes it.
package struct PresenceStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        /// The activation has this value now.
        case activation(Activation)
        /// Tell the delegate how the activation ended, that the session became inactive, or that it was deactivated.
        case didActivate, didBecomeInactive, didDeactivate
        case reachability(UUID, Bool)
        /// Whether transfers may go to a counterpart now.
        case transfers(UUID, Bool)
        /// A watch was paired, unpaired, became active, or got or lost the app or its complication.
        case watchState(UUID)
        /// The phone got or lost the app.
        case companionApp
        /// Tell a counterpart how this device is.
        case tell(UUID, DeviceState)
        /// Close the connection to a device, saying why.
        case refuse(UUID, reason: String)
        /// Keep what is known of a watch.
        case record(Companion)
        /// Keep nothing of a watch any more.
        case forget(UUID)
        /// What was queued for whichever watch comes first belongs to this one.
        case adopt(UUID)
        /// What is queued for a watch cannot arrive any more: it is no longer paired, or lacks the app.
        case giveUpTransfers(UUID, isPaired: Bool)
        /// Messages under way fail: their counterpart is being left.
        case abandonMessages
        /// The app's code does not run: keep everything from its delegate, or let it go on.
        case hold, release
        /// The app's process ended: nobody waits for replies any more.
        case dropHandlers
        /// The app's process begins anew, and activates its session.
        case launch
        /// Watch: the app got time in the background for what has come.
        case refreshTask
    }

    /// What follows for one counterpart from all that is known.
    private struct Standing: Equatable {
        var isReachable = false
        var takesTransfers = false
    }

    package let role: DeviceRole
    package let policy: CompanionPolicy
    package private(set) var activation = Activation.notActivated
    package private(set) var own: DeviceState
    /// The watches as the phone's owner has them.
    private var records: [UUID: Companion]
    /// Watches that said, when they were last heard of, that they lack the app.
    private var watchesWithoutApp: Set<UUID> = []
    /// The counterparts that are connected, as they say they are.
    package private(set) var peers: [UUID: DeviceState] = [:]
    private var standings: [UUID: Standing] = [:]
    /// What each counterpart was told of this device.
    private var told: [UUID: DeviceState] = [:]
    /// The watch that a switch goes to, until the former one is left.
    private var switchingTo: UUID?
    /// How this side's idea of who is reachable goes wrong, on demand.
    package private(set) var reachabilityFault = ReachabilityFault()
    /// Whether the app runs only because something came for it.
    private var isWoken = false
    private var allowance = PairingAllowance()

    package init(role: DeviceRole, policy: CompanionPolicy, state: DeviceState, companions: [Companion]) {
        self.role = role
        self.policy = policy
        own = state
        records = Dictionary(companions.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - What is known

    /// What the hello says to a counterpart that is not known yet.
    package var hello: DeviceState {
        var state = own
        if role == .host { state.serves = policy.serving == .all }
        return state
    }

    /// The phone's watches: one has the app if neither the phone's owner nor the watch itself removed it.
    package var companions: [UUID: Companion] {
        guard !watchesWithoutApp.isEmpty else { return records }
        var companions = records
        for watch in watchesWithoutApp {
            companions[watch]?.isAppInstalled = false
            companions[watch]?.hasComplication = false
        }
        return companions
    }

    package var active: Companion? { records.values.first { $0.isActive }.flatMap { companions[$0.identifier] } }

    /// Whether a watch is taken to be there though none ever came: it is on its way, in a test that starts the phone first.
    package var presumesCompanion: Bool { records.isEmpty && policy.pairing == .automatic }

    /// What keeps this watch from its phone; nil if it can be reached.
    ///
    /// - Parameter connectionFailure: Why there is no connection, if there is none.
    package func obstacle(connectionFailure: String?) -> Obstacle? {
        guard activation == .activated else { return .notActivated }
        guard let (phone, state) = peers.first else { return .notConnected(reason: connectionFailure) }
        guard !isReachable(phone) else { return nil }
        // A phone does not serve a watch that lacks the app, and only the watch knows that this is why.
        if !own.isAppInstalled { return .lacksApp }
        if !state.serves { return .phoneDoesNotServe }
        if !state.isAppInstalled { return .phoneLacksApp }
        if state.isLocked { return .phoneIsLocked }
        return own.isInteractive ? .faultOnDemand : .notInForeground
    }

    package func isReachable(_ device: UUID) -> Bool { standings[device]?.isReachable == true }

    /// Whether ``drained()`` has something to do.
    package var awaitsDrain: Bool { isWoken || switchingTo != nil }

    /// Whether a message may be given to the app: the watch's only if it is in the foreground, the phone's always.
    package func acceptsMessage(from device: UUID) -> Bool {
        accepts(device) && (role == .host || own.isInteractive)
    }

    /// Whether what a counterpart sends may be taken.
    package func accepts(_ device: UUID) -> Bool {
        peers[device] != nil && own.isAppInstalled && !own.isLocked && (role == .companion || isServed(device))
    }

    // MARK: - The session

    /// The app activates its session.
    package mutating func activate() -> [Action] {
        switch activation {
        case .activated: return [.didActivate]
        case .inactive: return []
        case .notActivated:
            activation = .activated
            return [.activation(.activated), .didActivate] + settleAll()
        }
    }

    /// Whether a device that says hello is let in only with the pairing code.
    package func mustShowCode(_ device: UUID) -> Bool {
        role == .host && policy.pairing == .code && records[device]?.isPaired != true
    }

    /// - Parameters:
    ///   - said: what this side's hello told the peer.
    ///   - hasShownCode: Whether it showed the pairing code that holds.
    package mutating func connected(
        _ device: Device, _ state: DeviceState, said: DeviceState, hasShownCode: Bool = false, at time: MonotonicTime
    ) -> [Action] {
        var actions: [Action] = []
        if role == .host {
            let isNew = records[device.identifier] == nil
            let isLetIn =
                mustShowCode(device.identifier) ? hasShownCode : isNew && policy.pairing == .automatic
            if isLetIn, isNew {
                do throws(PairingError) {
                    guard hasShownCode || allowance.isLeft(at: time) else { throw .tooFast }
                    actions += try makeRoom()
                    if !hasShownCode { allowance.take() }
                } catch {
                    return [.refuse(device.identifier, reason: "\(error)")]
                }
            }
            if isLetIn {
                var companion =
                    records[device.identifier] ?? Companion(identifier: device.identifier, name: device.name)
                companion.isPaired = true
                actions += added(companion)
            }
            guard var companion = records[device.identifier], companion.isPaired else {
                let reason =
                    policy.pairing == .code
                    ? "this watch is not paired: it must show the code of “watchlink watches code” (link.pairingCode)"
                    : "this watch is not paired"
                return actions + [.refuse(device.identifier, reason: reason)]
            }
            if companion.name != device.name {
                companion.name = device.name
                records[device.identifier] = companion
                actions.append(.record(companion))
            }
        }
        peers[device.identifier] = state
        told[device.identifier] = said
        return actions + settle(device.identifier, isAppInstalled: state.isAppInstalled)
    }

    package mutating func disconnected(_ device: UUID) -> [Action] {
        guard peers.removeValue(forKey: device) != nil else { return [] }
        told[device] = nil
        return settle(device)
    }

    package mutating func peerChanged(_ device: UUID, _ state: DeviceState) -> [Action] {
        guard let former = peers[device] else { return [] }
        peers[device] = state
        let isNews = role == .companion && former.isAppInstalled != state.isAppInstalled
        return (isNews ? [.companionApp] : []) + settle(device, isAppInstalled: state.isAppInstalled)
    }

    // MARK: - The app's life

    /// The person, or the system, puts the app into another state.
    package mutating func enter(_ application: ApplicationState) -> [Action] {
        let former = own.application
        isWoken = false
        // What is not in memory cannot be suspended.
        guard application != former, !(former == .terminated && application == .suspended) else { return [] }
        own.application = application
        // Nothing runs on a phone that was not unlocked: a running app says that it was.
        if application.isRunning { own.isLocked = false }
        switch (former, application) {
        case (_, .terminated):
            activation = .notActivated
            switchingTo = nil
            return [.hold, .dropHandlers, .activation(.notActivated)] + settleAll()
        case (.terminated, _): return settleAll() + [.release, .launch]
        case (_, .suspended): return [.hold] + settleAll()
        case (.suspended, _): return settleAll() + [.release]
        default: return settleAll()
        }
    }

    /// Anything else about this device changes.
    package mutating func change(_ change: (inout DeviceState) -> Void) -> [Action] {
        change(&own)
        return settleAll()
    }

    /// From now on this side's idea of who is reachable goes wrong like this.
    package mutating func setReachabilityFault(_ fault: ReachabilityFault) -> [Action] {
        reachabilityFault = fault
        return settleAll()
    }

    /// The phone restarts: its app is gone, and stays so until the phone was unlocked.
    package mutating func reboot() -> [Action] {
        own.isLocked = true
        return own.application == .terminated ? settleAll() : enter(.terminated)
    }

    package enum Content: Sendable { case message, transfer }

    /// Something came for the app. It wakes the phone's app; the watch's only if it is a transfer.
    package mutating func arrived(_ content: Content) -> [Action] {
        guard !own.application.isRunning, !own.isLocked, role == .host || content == .transfer else { return [] }
        let refresh: [Action] = role == .companion ? [.refreshTask] : []
        let actions = enter(.background) + refresh
        isWoken = true
        return actions
    }

    /// All that came was given to the delegate, and its tasks are done.
    package mutating func drained() -> [Action] {
        var actions: [Action] = []
        if isWoken { actions += enter(.suspended) }
        if let next = switchingTo {
            switchingTo = nil
            activation = .notActivated
            actions += [.activation(.notActivated), .didDeactivate] + makeActive(next)
        }
        return actions
    }

    // MARK: - The phone's watches

    /// Talks to another watch from now on. Phones that serve one watch tell their app, which activates the session anew.
    package mutating func switchTo(_ identifier: UUID) throws(PairingError) -> [Action] {
        guard try companion(identifier).isPaired else { throw .notPaired(identifier) }
        guard switchingTo == nil else { throw .switching }
        guard records[identifier]?.isActive == false else { return [] }
        guard policy.serving == .active, activation == .activated else { return makeActive(identifier) }
        switchingTo = identifier
        activation = .inactive
        return [.activation(.inactive), .abandonMessages] + settleAll() + [.didBecomeInactive]
    }

    package mutating func pair(_ identifier: UUID) throws(PairingError) -> [Action] {
        guard role == .host else { throw .notHost }
        guard var companion = records[identifier] else {
            return try makeRoom() + added(Companion(identifier: identifier, name: ""))
        }
        guard !companion.isPaired else { return [] }
        companion.isPaired = true
        return added(companion)
    }

    package mutating func unpair(_ identifier: UUID) throws(PairingError) -> [Action] {
        let actions = try update(identifier) {
            $0.isPaired = false
            $0.isActive = false
        }
        if switchingTo == identifier { switchingTo = nil }
        return actions.isEmpty
            ? [] : actions + [.giveUpTransfers(identifier, isPaired: false), .refuse(identifier, reason: "unpaired")]
    }

    package mutating func setAppInstalled(_ isInstalled: Bool, _ identifier: UUID) throws(PairingError) -> [Action] {
        let actions = try update(identifier) {
            $0.isAppInstalled = isInstalled
            $0.hasComplication = $0.hasComplication && isInstalled
        }
        return isInstalled || actions.isEmpty
            ? actions : actions + [.giveUpTransfers(identifier, isPaired: true)]
    }

    package mutating func setComplication(_ isShown: Bool, _ identifier: UUID) throws(PairingError) -> [Action] {
        try update(identifier) { $0.hasComplication = isShown && $0.isAppInstalled }
    }

    private func companion(_ identifier: UUID) throws(PairingError) -> Companion {
        guard role == .host else { throw .notHost }
        guard let companion = records[identifier] else { throw .unknown(identifier) }
        return companion
    }

    private mutating func update(
        _ identifier: UUID, _ change: (inout Companion) -> Void
    ) throws(PairingError) -> [Action] {
        let former = try companion(identifier)
        var companion = former
        change(&companion)
        guard companion != former else { return [] }
        records[identifier] = companion
        return [.record(companion), .watchState(identifier)] + settle(identifier)
    }

    /// Makes room for another watch, if need be: of those that are not paired, and not there, one goes.
    private mutating func makeRoom() throws(PairingError) -> [Action] {
        guard records.count >= LinkLimits.companions else { return [] }
        let forgettable = records.values.filter { !$0.isPaired && peers[$0.identifier] == nil }
        guard let forgotten = forgettable.map(\.identifier).min(by: { $0.uuidString < $1.uuidString }) else {
            throw .full
        }
        records[forgotten] = nil
        return [.forget(forgotten)]
    }

    private mutating func added(_ companion: Companion) -> [Action] {
        var companion = companion
        let isFirst = records.isEmpty
        companion.isActive = active == nil
        records[companion.identifier] = companion
        return [.record(companion)] + (isFirst ? [.adopt(companion.identifier)] : [])
            + [.watchState(companion.identifier)] + settle(companion.identifier)
    }

    private mutating func makeActive(_ identifier: UUID) -> [Action] {
        var actions: [Action] = []
        for var companion in records.values where companion.isActive != (companion.identifier == identifier) {
            companion.isActive = companion.identifier == identifier
            records[companion.identifier] = companion
            actions.append(.record(companion))
        }
        return actions + settleAll() + [.watchState(identifier)]
    }

    // MARK: - Rules

    private func isServed(_ device: UUID) -> Bool {
        guard let companion = companions[device], companion.isPaired, companion.isAppInstalled else { return false }
        guard policy.serving == .active else { return true }
        return companion.isActive && switchingTo == nil
            && (activation == .activated || own.application == .terminated)
    }

    private func standing(_ device: UUID) -> Standing {
        guard let peer = peers[device] else { return Standing() }
        let (phone, watch) = role == .host ? (own, peer) : (peer, own)
        let isServed = role == .host ? isServed(device) : peer.serves
        let isLinked = isServed && phone.isAppInstalled && watch.isAppInstalled && !phone.isLocked
        return Standing(
            isReachable: isLinked && watch.isInteractive && activation == .activated, takesTransfers: isLinked)
    }

    private mutating func settle(_ device: UUID) -> [Action] {
        var actions: [Action] = []
        if let heard = told[device] {
            var state = own
            if role == .host { state.serves = isServed(device) }
            if state != heard {
                told[device] = state
                actions.append(.tell(device, state))
            }
        }
        let former = standings[device] ?? Standing()
        var present = standing(device)
        switch reachabilityFault.idea {
        case .right: break
        case .stale: present.isReachable = former.isReachable
        case .always: present.isReachable = peers[device] != nil
        case .never: present.isReachable = false
        }
        standings[device] = peers[device] == nil && !present.isReachable ? nil : present
        if present.isReachable != former.isReachable { actions.append(.reachability(device, present.isReachable)) }
        if present.takesTransfers != former.takesTransfers {
            actions.append(.transfers(device, present.takesTransfers))
        }
        return actions
    }

    /// The same when a device has said whether it has the app: a watch without it is to the phone as one whose app was removed there.
    private mutating func settle(_ device: UUID, isAppInstalled: Bool) -> [Action] {
        guard role == .host else { return settle(device) }
        let former = companions[device]?.isAppInstalled
        if isAppInstalled {
            watchesWithoutApp.remove(device)
        } else {
            watchesWithoutApp.insert(device)
        }
        let present = companions[device]?.isAppInstalled
        let actions = (former == present ? [] : [.watchState(device)]) + settle(device)
        return former == true && present == false ? actions + [.giveUpTransfers(device, isPaired: true)] : actions
    }

    private mutating func settleAll() -> [Action] {
        var actions: [Action] = []
        for device in peers.keys.sorted(by: { $0.uuidString < $1.uuidString }) { actions += settle(device) }
        return actions
    }
}
