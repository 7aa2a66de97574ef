package import Foundation

/// The availability of the counterparts: a session's activation, the life cycle of its app, the paired watches and the
/// switch between them.
///
/// These are separate state machines: ``AppLife``, ``SessionActivation``, ``Pairing`` and ``Reach``. This type
/// dispatches events to them and orders the resulting actions together with those for the counterparts.
package struct PresenceStateMachine: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// The activation state has changed.
        case activation(Activation)
        /// Notify the delegate that activation completed, or that the session became inactive or was deactivated.
        case didActivate, didBecomeInactive, didDeactivate
        case reachability(UUID, Bool)
        /// Transfers to a counterpart became possible or impossible.
        case transfers(UUID, Bool)
        /// A watch was paired, unpaired, became active, or its app or complication was added or removed.
        case watchState(UUID)
        /// The app was installed on or removed from the phone.
        case companionApp
        /// Send this device's state to a counterpart.
        case tell(UUID, DeviceState)
        /// Close the connection to a device, with the reason.
        case refuse(UUID, reason: String)
        /// Store the record of a watch; if it is the active one, no other is from then on.
        case record(Companion)
        /// Delete the record of a watch.
        case forget(UUID)
        /// Assign the content queued for the first watch to this one.
        case adopt(UUID)
        /// Fail everything queued for a watch that is no longer paired, or has no app any more.
        case giveUpTransfers(UUID, isPaired: Bool)
        /// Fail the messages in flight, as the phone switches to another watch.
        case abandonMessages
        /// The app's code stopped or resumed: hold back everything from its delegate, or release it.
        case hold, release
        /// The app's process ended: discard its reply handlers.
        case dropHandlers
        /// The app's process starts from scratch and activates its session.
        case launch
        /// Watch: the app gets background time for received content.
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

    // MARK: - State

    package var policy: CompanionPolicy { pairing.policy }
    package var activation: Activation { session.value }
    package var own: DeviceState { life.device }
    /// The connected counterparts with the states that they reported.
    package var peers: [IdentifierKey: DeviceState] { reach.peers }
    /// Watch: true if its phone was restarted and not yet unlocked.
    package var isPhoneLocked: Bool { role == .companion && reach.peers.values.contains { $0.isLocked } }
    /// The parts of the presence that observers compare with later ones.
    package var outline: PresenceOutline { PresenceOutline(self) }
    /// The fault that falsifies the peer's reachability.
    package var reachabilityFault: ReachabilityFault { reach.fault }
    /// The phone's watches; a watch has the app unless it was removed on the phone or on the watch itself.
    package var companions: [IdentifierKey: Companion] { pairing.companions }
    package var active: Companion? { pairing.active }
    /// The watch that becomes the active one as soon as the app has been told; nil if the phone is not switching.
    package var nextWatch: UUID? { session.next }
    /// Returns the record of a watch to store; nil if it is unknown.
    package func record(of watch: UUID) -> Companion? { pairing.record(of: watch) }
    /// True if a watch is assumed to exist although none has connected, as in a test that starts the phone first.
    package var presumesCompanion: Bool { pairing.presumesCompanion }

    /// The state sent in the hello to a counterpart that is not known yet.
    package var hello: DeviceState {
        var state = own
        if role == .host { state.serves = policy.serving == .all }
        return state
    }

    /// Returns the reason why this watch cannot reach its phone; nil if it can.
    ///
    /// - Parameter connectionFailure: The reason why there is no connection.
    package func obstacle(connectionFailure: String?) -> Obstacle? {
        guard activation == .activated else { return .notActivated }
        guard let (phone, state) = peers.first else { return .notConnected(reason: connectionFailure) }
        guard !isReachable(phone.identifier) else { return nil }
        // A phone does not serve a watch without the app, and only the watch knows that this is the reason.
        if !own.isAppInstalled { return .lacksApp }
        if !state.serves { return .phoneDoesNotServe }
        if !state.isAppInstalled { return .phoneLacksApp }
        if state.isLocked { return .phoneIsLocked }
        return own.isInteractive ? .faultOnDemand : .notInForeground
    }

    package func isReachable(_ device: UUID) -> Bool { reach.isReachable(device) }

    /// True if ``drained()`` has work to do.
    package var awaitsDrain: Bool { life.state == .woken || session.value == .inactive }

    /// True if a message may be passed to the app: on a watch only in the foreground, on a phone always.
    package func acceptsMessage(from device: UUID) -> Bool {
        accepts(device) && (role == .host || own.isInteractive)
    }

    /// True if content from a counterpart may be accepted.
    package func accepts(_ device: UUID) -> Bool {
        reach.peers[device] != nil && own.isAppInstalled && !own.isLocked && (role == .companion || isServed(device))
    }

    /// True if a device must send the pairing code with its hello.
    package func mustShowCode(_ device: UUID) -> Bool { role == .host && pairing.mustShowCode(device) }

    /// True if the phone serves a watch. A phone that serves one watch at a time does so only while its session is
    /// activated, or will be activated as soon as content arrives.
    private func isServed(_ device: UUID) -> Bool {
        guard pairing.mayServe(device) else { return false }
        guard policy.serving == .active else { return true }
        return switch session {
        case .activated: true
        // Content wakes an app in memory, too: it may have been suspended before it could activate its session again.
        case .notActivated: life.state == .terminated || life.state == .suspended
        case .inactive: false
        }
    }

    // MARK: - The session and its counterparts

    /// Handles the app's request to activate its session.
    package mutating func activate() -> [Action] {
        let (next, action) = session.activating()
        session = next
        return switch action {
        case .activate: [.activation(.activated), .didActivate] + updateAllReachability()
        case .tellAgain: [.didActivate]
        case .nothing: []
        }
    }

    /// Handles an accepted hello.
    ///
    /// - Parameters:
    ///   - said: The state that this side's hello contained.
    ///   - hasShownCode: True if the peer sent the valid pairing code.
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
        return actions.followed(by: heard(from: device.identifier, state))
    }

    package mutating func disconnected(_ device: UUID) -> [Action] { reach.disconnected(device) ? settled(device) : [] }

    package mutating func peerChanged(_ device: UUID, _ state: DeviceState) -> [Action] {
        guard let former = reach.changed(device, state) else { return [] }
        let isNews = role == .companion && former.isAppInstalled != state.isAppInstalled
        return (isNews ? [.companionApp] : []) + heard(from: device, state)
    }

    /// Replaces the fault that falsifies the peer's reachability.
    package mutating func setReachabilityFault(_ fault: ReachabilityFault) -> [Action] {
        reach.fault = fault
        return updateAllReachability()
    }

    // MARK: - The life cycle of the app

    /// Puts the app into a state chosen by a person or the system.
    package mutating func enter(_ application: ApplicationState) -> [Action] { follow(life.enter(application)) }

    /// Changes the device's state except that of the app.
    package mutating func change(_ change: (inout DeviceState) -> Void) -> [Action] {
        life.change(change)
        return updateAllReachability()
    }

    /// Restarts the phone: its app is terminated until the phone is unlocked.
    package mutating func reboot() -> [Action] { follow(life.reboot()) }

    package enum Content: Sendable { case message, transfer }

    /// Handles arriving content, which wakes the phone's app; the watch's app only for a transfer.
    package mutating func arrived(_ content: Content) -> [Action] {
        guard role == .host || content == .transfer else { return [] }
        let action = life.arrived()
        guard action != .nothing else { return [] }
        return follow(action) + (role == .companion ? [.refreshTask] : [])
    }

    /// Records that all content was delivered and the delegate's tasks are complete.
    package mutating func drained() -> [Action] {
        let actions = follow(life.drained())
        let wasInactive = session.value == .inactive
        let (next, watch) = session.drained()
        session = next
        guard wasInactive else { return actions }
        let changes = watch.map { pairing.makeActive($0) } ?? []
        return actions + [.activation(.notActivated), .didDeactivate] + follow(changes)
    }

    // MARK: - The phone's watches

    /// Switches to another watch. A phone that serves one watch notifies its app, which then reactivates the session.
    package mutating func switchTo(_ identifier: UUID) throws(PairingError) -> [Action] {
        try requireHost()
        let companion = try pairing.companion(identifier)
        guard companion.isPaired else { throw .notPaired(identifier) }
        guard session.next == nil else { throw .switching }
        guard !companion.isActive else { return [] }
        guard policy.serving == .active, session == .activated else { return follow(pairing.makeActive(identifier)) }
        session = .inactive(next: identifier)
        return [.activation(.inactive), .abandonMessages] + updateAllReachability() + [.didBecomeInactive]
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

    // MARK: - Consequences

    /// Applies a transition of the app. Content is held back before counterparts learn of it, and released after.
    private mutating func follow(_ action: AppLife.Action) -> [Action] {
        switch action {
        case .nothing: return []
        case .goOn: return updateAllReachability()
        case .suspend: return [.hold] + updateAllReachability()
        case .resume: return updateAllReachability() + [.release]
        case .end:
            session = .notActivated
            return [.hold, .dropHandlers, .activation(.notActivated)] + updateAllReachability()
        case .launch: return updateAllReachability() + [.release, .launch]
        }
    }

    /// Applies changes of the phone's watches.
    private mutating func follow(_ changes: [Pairing.Change]) -> [Action] {
        var actions: [Action] = []
        for change in changes {
            switch change {
            case .record(let companion): actions.append(.record(companion))
            case .forget(let watch): actions.append(.forget(watch))
            case .adopt(let watch): actions.append(.adopt(watch))
            case .watchState(let watch): actions.append(.watchState(watch))
            case .settle(let watch): settle(watch, &actions)
            case .updateAllReachability: actions += updateAllReachability()
            case .giveUpTransfers(let watch, let isPaired): actions.append(.giveUpTransfers(watch, isPaired: isPaired))
            case .refuse(let watch, let reason): actions.append(.refuse(watch, reason: reason))
            }
        }
        return actions
    }

    /// Applies the state that a counterpart reported.
    private mutating func heard(from device: UUID, _ state: DeviceState) -> [Action] {
        guard role == .host else { return settled(device) }
        return follow(pairing.said(isAppInstalled: state.isAppInstalled, by: device))
    }

    private mutating func settled(_ device: UUID) -> [Action] {
        var actions: [Action] = []
        settle(device, &actions)
        return actions
    }

    private mutating func settle(_ device: UUID, _ actions: inout [Action]) {
        var state = own
        if role == .host { state.serves = isServed(device) }
        let change = reach.settle(device, Reach.Situation(own: state, isActivated: session == .activated))
        if let told = change.told { actions.append(.tell(device, told)) }
        if let isReachable = change.isReachable { actions.append(.reachability(device, isReachable)) }
        if let takesTransfers = change.takesTransfers { actions.append(.transfers(device, takesTransfers)) }
    }

    private mutating func updateAllReachability() -> [Action] {
        var actions: [Action] = []
        for device in reach.known.sorted() { settle(device, &actions) }
        return actions
    }
}
