import DeviceEngine
import Foundation
import LinkProtocol

/// The app's view of its counterparts, compared with the truth after each change.
extension SimulatedShell {
    /// The parts of presence that an app is told of.
    struct Told: Equatable {
        var watches: [IdentifierKey: Companion] = [:]
        /// True if the phone has the app, as a watch last heard; nil without a connection.
        var hasApp: Bool?

        init(_ presence: PresenceStateMachine) {
            // The name is the session's own affair.
            watches = presence.companions.mapValues { watch in
                var watch = watch
                watch.name = ""
                return watch
            }
            hasApp = presence.role == .companion ? presence.peers.values.first?.isAppInstalled : nil
        }
    }

    func presenceChanged(from former: PresenceOutline) {
        let wasWoken = awaitsDrain
        awaitsDrain = ask { $0.session.presence.awaitsDrain }
        hasPresenceChanged = world.isThorough
        if node.role == .companion, !wasWoken, awaitsDrain { view.wakes() }
        guard world.isTraced else { return }
        let application = ask { $0.session.presence.own.application }
        if former.application != application { trace { "the app is \(application.rawValue)" } }
    }

    /// Checks, after a change of presence was carried out, that the app knows the truth.
    func checkPresence() {
        guard hasPresenceChanged else { return }
        hasPresenceChanged = false
        let (presence, former) = (ask { $0.session.presence }, told)
        told = Told(presence)
        let isNewsOfApp = former.hasApp.map { had in told.hasApp.map { $0 != had } ?? false } ?? false
        if let complaint = view.misses(watches: former.watches != told.watches, app: isNewsOfApp) {
            world.chronicle.fail(.toldInOrder, "the app of node \(node.index): \(complaint)")
        }
        if node.role == .host { checkActive(presence, former) }
        checkGreeting()
        checkMistake()
        guard presence.reachabilityFault.idea == .right else { return }
        for (key, state) in presence.peers {
            let device = key.identifier
            let expected = reaches(device, state, presence)
            guard view.reachable.contains(device) != expected || presence.isReachable(device) != expected else {
                continue
            }
            world.chronicle.fail(
                .tellsTruth,
                "node \(node.index) should \(expected ? "" : "not ")reach \(device), whose state is \(state), from \(presence.own)"
            )
        }
        for device in view.reachable where presence.peers[device] == nil {
            world.chronicle.fail(.tellsTruth, "node \(node.index) reaches \(device.identifier), which is not connected")
        }
        if node.role == .companion { checkObstacle(presence) }
    }

    /// A phone with a new watch has an active one, and never two.
    private func checkActive(_ presence: PresenceStateMachine, _ former: Told) {
        let count = presence.companions.values.count(where: \.isActive)
        let isNew = presence.companions.contains { $0.value.isPaired && former.watches[$0.key]?.isPaired != true }
        guard count > 1 || isNew && count == 0 else { return }
        world.chronicle.fail(.tellsTruth, "\(count) of the phone's watches are active: \(presence.companions)")
    }

    /// Checks what a device says of itself to those it does not know yet.
    private func checkGreeting() {
        var expected = ask { $0.session.presence.own }
        if node.role == .host { expected.serves = world.plan.serving == .all }
        guard greeting != expected else { return }
        world.chronicle.fail(.tellsTruth, "node \(node.index) greets as \(greeting), but is \(expected)")
    }

    /// Apple's rules: the watch's app is on the screen or runs a workout; the phone's app need not run.
    private func reaches(_ device: UUID, _ state: DeviceState, _ presence: PresenceStateMachine) -> Bool {
        guard presence.activation == .activated else { return false }
        let own = presence.own
        let (phone, watch) = node.role == .host ? (own, state) : (state, own)
        let isShown = watch.application == .foreground && !watch.isWristDown
        let isWorking = watch.hasWorkout && (watch.application == .foreground || watch.application == .background)
        guard isShown || isWorking, own.isAppInstalled, state.isAppInstalled, !phone.isLocked else { return false }
        guard node.role == .host else { return state.serves }
        guard let record = presence.companions[device], record.isPaired, record.isAppInstalled else { return false }
        return world.plan.serving == .all || record.isActive
    }

    /// A watch that cannot reach its phone knows why, and one that can knows no reason.
    private func checkObstacle(_ presence: PresenceStateMachine) {
        let obstacle = presence.obstacle(connectionFailure: "none")
        let expected: Obstacle? =
            if presence.activation != .activated {
                .notActivated
            } else if let (device, state) = presence.peers.first {
                view.reachable.contains(device.identifier) ? nil : obstacleBetween(presence.own, state)
            } else {
                .notConnected(reason: "none")
            }
        guard obstacle != expected else { return }
        world.chronicle.fail(
            .tellsTruth, "node \(node.index) says \(obstacle as Any), but the obstacle is \(expected as Any)")
    }

    private func obstacleBetween(_ own: DeviceState, _ phone: DeviceState) -> Obstacle {
        if !own.isAppInstalled { return .lacksApp }
        if !phone.serves { return .phoneDoesNotServe }
        if !phone.isAppInstalled { return .phoneLacksApp }
        return phone.isLocked ? .phoneIsLocked : .notInForeground
    }
}
