package import Foundation

/// Who is there and may be talked to: a session's activation, its app's life, the paired watches and the switch between them.
///
/// Each of these is a machine of its own: ``AppLife``, ``SessionActivation``, ``Pairing`` and ``Reach``. Here events go to those that
/// they concern, and what follows from one is put in order with what follows for the counterparts.
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

    package let role: DeviceRole
    private var life: AppLife
    private var session = SessionActivation.notActivated
    private var pairing: Pairing
    private var reach: Reach

    package init(role: DeviceRole, policy: CompanionPolicy, state: DeviceState, companions: [Companion]) {
        self.role = role
        life = AppLife(state)
        pairing = Pairing(companions, policy)
        reach = Reach(role)
    }

    // MARK: - What is known

    package var policy: CompanionPolicy { pairing.policy }
    package var activation: Activation { session.value }
    package var own: DeviceState { life.device }
    /// The counterparts that are connected, as they say they are.
    package var peers: [UUID: DeviceState] { reach.peers }
    /// How this side's idea of who is reachable goes wrong, on demand.
    package var reachabilityFault: ReachabilityFault { reach.fault }
    /// The phone's watches: one has the app if neither the phone's owner nor the watch itself removed it.
    package var companions: [UUID: Companion] { pairing.companions }
    package var active: Companion? { pairing.active }
    /// A watch as it is to be kept; nil if nothing of it is.
    package func record(of watch: UUID) -> Companion? { pairing.record(of: watch) }
    /// Whether a watch is taken to be there though none ever came: it is on its way, in a test that starts the phone first.
    package var presumesCompanion: Bool { pairing.presumesCompanion }

    /// What the hello says to a counterpart that is not known yet.
    package var hello: DeviceState {
        var state = own
        if role == .host { state.serves = policy.serving == .all }
        return state
    }

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

    package func isReachable(_ device: UUID) -> Bool { reach.isReachable(device) }

    /// Whether ``drained()`` has something to do.
    package var awaitsDrain: Bool { life.state == .woken || session.next != nil }

    /// Whether a message may be given to the app: the watch's only if it is in the foreground, the phone's always.
    package func acceptsMessage(from device: UUID) -> Bool {
        accepts(device) && (role == .host || own.isInteractive)
    }

    /// Whether what a counterpart sends may be taken.
    package func accepts(_ device: UUID) -> Bool {
        reach.peers[device] != nil && own.isAppInstalled && !own.isLocked && (role == .companion || isServed(device))
    }

    /// Whether a device that says hello is let in only with the pairing code.
    package func mustShowCode(_ device: UUID) -> Bool { role == .host && pairing.mustShowCode(device) }

    /// Whether the phone talks to a watch: where it serves one at a time, while its session is activated, or will be as soon as
    /// something comes.
    private func isServed(_ device: UUID) -> Bool {
        guard pairing.mayServe(device) else { return false }
        guard policy.serving == .active else { return true }
        return switch session {
        case .activated: true
        case .notActivated, .inactive(next: nil): life.state == .terminated
        case .inactive: false
        }
    }

    // MARK: - The session and its counterparts

    /// The app activates its session.
    package mutating func activate() -> [Action] {
        let (next, action) = session.activating()
        session = next
        return switch action {
        case .activate: [.activation(.activated), .didActivate] + settleAll()
        case .tellAgain: [.didActivate]
        case .nothing: []
        }
    }

    /// - Parameters:
    ///   - said: what this side's hello told the peer.
    ///   - hasShownCode: Whether it showed the pairing code that holds.
    package mutating func connected(
        _ device: Device, _ state: DeviceState, said: DeviceState, hasShownCode: Bool = false, at time: MonotonicTime
    ) -> [Action] {
        var actions: [Action] = []
        if role == .host {
            let peers = reach.peers
            switch pairing.admit(device, hasShownCode: hasShownCode, at: time, isThere: { peers[$0] != nil }) {
            case .refused(let reason): return [.refuse(device.identifier, reason: reason)]
            case .admitted(let changes): actions = follow(changes)
            }
        }
        reach.connected(device.identifier, state, said: said)
        return actions + heard(from: device.identifier, state)
    }

    package mutating func disconnected(_ device: UUID) -> [Action] { reach.disconnected(device) ? settle(device) : [] }

    package mutating func peerChanged(_ device: UUID, _ state: DeviceState) -> [Action] {
        guard let former = reach.changed(device, state) else { return [] }
        let isNews = role == .companion && former.isAppInstalled != state.isAppInstalled
        return (isNews ? [.companionApp] : []) + heard(from: device, state)
    }

    /// From now on this side's idea of who is reachable goes wrong like this.
    package mutating func setReachabilityFault(_ fault: ReachabilityFault) -> [Action] {
        reach.fault = fault
        return settleAll()
    }

    // MARK: - The app's life

    /// The person, or the system, puts the app into another state.
    package mutating func enter(_ application: ApplicationState) -> [Action] { follow(life.enter(application)) }

    /// Anything else about this device changes.
    package mutating func change(_ change: (inout DeviceState) -> Void) -> [Action] {
        life.change(change)
        return settleAll()
    }

    /// The phone restarts: its app is gone, and stays so until the phone was unlocked.
    package mutating func reboot() -> [Action] { follow(life.reboot()) }

    package enum Content: Sendable { case message, transfer }

    /// Something came for the app. It wakes the phone's app; the watch's only if it is a transfer.
    package mutating func arrived(_ content: Content) -> [Action] {
        guard role == .host || content == .transfer else { return [] }
        let action = life.arrived()
        guard action != .nothing else { return [] }
        return follow(action) + (role == .companion ? [.refreshTask] : [])
    }

    /// All that came was given to the delegate, and its tasks are done.
    package mutating func drained() -> [Action] {
        let actions = follow(life.drained())
        let (next, watch) = session.drained()
        session = next
        guard let watch else { return actions }
        return actions + [.activation(.notActivated), .didDeactivate] + follow(pairing.makeActive(watch))
    }

    // MARK: - The phone's watches

    /// Talks to another watch from now on. Phones that serve one watch tell their app, which activates the session anew.
    package mutating func switchTo(_ identifier: UUID) throws(PairingError) -> [Action] {
        try requireHost()
        let companion = try pairing.companion(identifier)
        guard companion.isPaired else { throw .notPaired(identifier) }
        guard session.next == nil else { throw .switching }
        guard !companion.isActive else { return [] }
        guard policy.serving == .active, session == .activated else { return follow(pairing.makeActive(identifier)) }
        session = .inactive(next: identifier)
        return [.activation(.inactive), .abandonMessages] + settleAll() + [.didBecomeInactive]
    }

    package mutating func pair(_ identifier: UUID) throws(PairingError) -> [Action] {
        try requireHost()
        let peers = reach.peers
        return follow(try pairing.pair(identifier) { peers[$0] != nil })
    }

    package mutating func unpair(_ identifier: UUID) throws(PairingError) -> [Action] {
        try requireHost()
        let changes = try pairing.unpair(identifier)
        session = session.unpaired(identifier)
        return follow(changes)
    }

    package mutating func setAppInstalled(_ isInstalled: Bool, _ identifier: UUID) throws(PairingError) -> [Action] {
        try requireHost()
        return follow(try pairing.setAppInstalled(isInstalled, identifier))
    }

    package mutating func setComplication(_ isShown: Bool, _ identifier: UUID) throws(PairingError) -> [Action] {
        try requireHost()
        return follow(try pairing.setComplication(isShown, identifier))
    }

    private func requireHost() throws(PairingError) {
        guard role == .host else { throw .notHost }
    }

    // MARK: - What follows

    /// From a step of the app's life. What is held back is so before counterparts learn of it, and let go after.
    private mutating func follow(_ action: AppLife.Action) -> [Action] {
        switch action {
        case .nothing: return []
        case .goOn: return settleAll()
        case .suspend: return [.hold] + settleAll()
        case .resume: return settleAll() + [.release]
        case .end:
            session = .notActivated
            return [.hold, .dropHandlers, .activation(.notActivated)] + settleAll()
        case .launch: return settleAll() + [.release, .launch]
        }
    }

    /// From a change of the phone's watches.
    private mutating func follow(_ changes: [Pairing.Change]) -> [Action] {
        var actions: [Action] = []
        for change in changes {
            switch change {
            case .record(let companion): actions.append(.record(companion))
            case .forget(let watch): actions.append(.forget(watch))
            case .adopt(let watch): actions.append(.adopt(watch))
            case .watchState(let watch): actions.append(.watchState(watch))
            case .settle(let watch): actions += settle(watch)
            case .settleAll: actions += settleAll()
            case .giveUpTransfers(let watch, let isPaired): actions.append(.giveUpTransfers(watch, isPaired: isPaired))
            case .refuse(let watch, let reason): actions.append(.refuse(watch, reason: reason))
            }
        }
        return actions
    }

    /// From what a counterpart said of itself.
    private mutating func heard(from device: UUID, _ state: DeviceState) -> [Action] {
        guard role == .host else { return settle(device) }
        return follow(pairing.said(isAppInstalled: state.isAppInstalled, by: device))
    }

    private mutating func settle(_ device: UUID) -> [Action] {
        var state = own
        if role == .host { state.serves = isServed(device) }
        let change = reach.settle(device, Reach.Situation(own: state, isActivated: session == .activated))
        var actions: [Action] = []
        if let told = change.told { actions.append(.tell(device, told)) }
        if let isReachable = change.isReachable { actions.append(.reachability(device, isReachable)) }
        if let takesTransfers = change.takesTransfers { actions.append(.transfers(device, takesTransfers)) }
        return actions
    }

    private mutating func settleAll() -> [Action] {
        var actions: [Action] = []
        for device in reach.peers.keys.sorted(by: { $0.uuidString < $1.uuidString }) { actions += settle(device) }
        return actions
    }
}
