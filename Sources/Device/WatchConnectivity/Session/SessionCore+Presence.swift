import Configuration
import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import KeyValueObservation
import LinkProtocol
import Locking
import WatchKit

/// The session's reactions to changes of presence: it notifies the delegate and the observers, and holds the app's code
/// while the app does not run.
extension SessionCore {
    func connected(_ device: Device) {
        state.withLock { state in
            state.connected.removeAll { $0.identifier == device.identifier }
            state.connected.append(device)
        }
    }

    func linkFailed(_ reason: String) { state.withLock { $0.linkFailure = reason } }

    /// The obstacle between this watch and its phone, if any.
    var obstacle: Obstacle? {
        state.withLock { state in
            guard let presence = state.presence else { return .notActivated }
            return presence.obstacle(connectionFailure: state.linkFailure)
        }
    }

    func disconnected(_ device: Device) {
        state.withLock { state in state.connected.removeAll { $0.identifier == device.identifier } }
    }

    /// Handles a change of the state machine; its actions follow.
    func presenceChanged(from former: PresenceOutline, to present: PresenceStateMachine) {
        state.withLock { $0.presence = present }
        awaitsDrain.set(present.awaitsDrain)
        AppActivity.shared.become(AppActivity.State(present.own))
        if former.application != present.own.application {
            logger.log(.applicationStateChanged, [.application(present.own.application.rawValue)])
        }
        if former.activation != present.activation {
            observe(
                \WCSession.activationState, from: WCSessionActivationState(former.activation),
                to: WCSessionActivationState(present.activation))
        }
        guard role == .companion else { return }
        let (wasLocked, isLocked) = (former.isPhoneLocked, present.isPhoneLocked)
        if wasLocked != isLocked {
            observe(\WCSession.iOSDeviceNeedsUnlockAfterRebootForReachability, from: wasLocked, to: isLocked)
        }
    }

    func perform(_ news: AppNotification) {
        switch news {
        case .activation(let activation): activationChanged(activation)
        case .didActivate: tellActivated()
        case .didBecomeInactive:
            logger.log(.sessionInactive)
            tellOwner(.didBecomeInactive) { delegate, session in delegate.sessionDidBecomeInactive(session) }
        case .didDeactivate: tellDeactivated()
        case .reachability(let device, let isReachable): reachabilityChanged(device, isReachable)
        case .watchState(let device): watchStateChanged(device)
        case .companionApp:
            let isInstalled = presence?.isPhoneAppInstalled == true
            observe(\WCSession.isCompanionAppInstalled, from: !isInstalled, to: isInstalled)
            tellOwner(.companionAppInstalledDidChange) { delegate, session in
                delegate.sessionCompanionAppInstalledDidChange(session)
            }
        case .hold: queue.hold()
        case .release: queue.release()
        case .launch:
            logger.log(.applicationLaunched, [.application(presence?.own.application.rawValue ?? "")])
            activate()
        case .refreshTask: giveRefreshTask()
        case .abandonMessages, .dropHandlers: break
        }
    }

    // MARK: - Activation

    private func activationChanged(_ activation: Activation) {
        switch activation {
        case .activated:
            state.withLock { $0.isDeactivated = false }
            lint?.activated(self)
            logger.log(
                .sessionActivated,
                configuration.map { [.device($0.device.identifier), .role($0.device.role.rawValue)] } ?? [])
        case .inactive: break
        case .notActivated:
            if presence?.own.application == .terminated { queue.discard() }
        }
    }

    private func tellActivated() {
        tellOwner(.activationDidComplete, "activated") { [self] delegate, session in
            delegate.session(session, activationDidCompleteWith: activationState, error: nil)
        }
    }

    private func tellDeactivated() {
        logger.log(.sessionDeactivated)
        state.withLock { $0.isDeactivated = true }
        queue.enqueue { [self] in
            guard let session = ownerSession, let delegate else { return }
            let isImplemented = calling(.didDeactivate) { delegate.sessionDidDeactivate(session) }
            guard isImplemented else {
                // Apple's system terminates an app without the method at a switch, and launches it again with the other
                // watch.
                hints.give(.switchNotHandled)
                return activate()
            }
            hintIfDeactivated()
        }
    }

    /// Gives a hint after 5 s: most apps activate the session in the method that reports the deactivation, or soon
    /// afterwards.
    private func hintIfDeactivated() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) { [weak self] in
            guard let self, state.withLock({ $0.isDeactivated }) else { return }
            hints.give(.notReactivated)
        }
    }

    // MARK: - Counterparts

    private func reachabilityChanged(_ device: UUID, _ isReachable: Bool) {
        logger.log(.reachabilityChanged, [.device(device), .reachable(isReachable)])
        if isReachable { lint?.linked() }
        guard presence?.reachabilityFault.isSilent != true else { return }
        guard let session = session(for: device) else { return }
        let box = UncheckedBox(session)
        queue.enqueue { [self] in
            calling(.observer) {
                observers.changed(\WCSession.isReachable, of: box.value, from: !isReachable, to: isReachable)
            }
            calling(
                .reachabilityDidChange, of: box.value.counterpart?.identifier,
                with: .words(isReachable ? "reachable" : "unreachable")
            ) { delegate?.sessionReachabilityDidChange(box.value) }
        }
    }

    private func watchStateChanged(_ device: UUID) {
        renewedComplicationBudget()
        guard let session = session(for: device) else { return }
        let box = UncheckedBox(session)
        guard session === ownerSession else {
            // The session of a single watch: the change concerns that watch.
            return queue.enqueue { [self] in
                calling(.watchStateDidChange, of: device) { delegate?.sessionWatchStateDidChange(box.value) }
            }
        }
        let (former, present) = state.withLock { state in
            let former = state.watchView
            if let presence = state.presence, let shell = state.shell {
                state.watchView = WatchView(presence, presence.active, shell.home.directory)
            }
            return (former, state.watchView)
        }
        // A change of an inactive watch does not affect the application's session.
        guard former != present else { return }
        queue.enqueue { [self] in
            calling(.observer) { former.differences(from: present, of: box.value, tell: observers.changed) }
            calling(.watchStateDidChange) { delegate?.sessionWatchStateDidChange(box.value) }
        }
    }

    func prepareDirectory(of companion: Companion) {
        guard companion.isPaired, companion.isAppInstalled, let shell else { return }
        do {
            // A state directory that was removed is not created again: it would be empty.
            try PrivateDirectory.create(shell.home.directory.watch(companion.identifier), withParents: false)
        } catch {
            logger.log(.fileSystemFailed, [.error(error)])
        }
    }

    // MARK: - The app's background time

    /// Gives background time to the watch's app, which was launched or woken for new content.
    private func giveRefreshTask() {
        state.withLock { $0.openTasks += 1 }
        let given = BackgroundLaunch.give { [weak self] in
            guard let self else { return }
            state.withLock { $0.openTasks -= 1 }
            logger.log(.refreshTasksCompleted)
            drainIfDone()
        } onOverdue: { [weak self] in
            self?.hints.give(.tasksNotCompleted)
        }
        if given {
            logger.log(.refreshTaskGiven)
        } else {
            // Without an extension delegate, the app does not use tasks.
            state.withLock { $0.openTasks -= 1 }
        }
    }

    /// True if the work that the app was woken for is done.
    var isDrained: Bool {
        queue.isIdle && shell?.inbox.count ?? 0 == 0 && openReplies.value == 0
            && state.withLock { $0.openTasks == 0 }
    }

    /// True if content for the app can be delivered immediately.
    var canDeliver: Bool { !queue.isHeld && delegate != nil }

    func drainIfDone() {
        guard awaitsDrain.isSet, isDrained else { return }
        shell?.drain()
    }

    func pendingChanged(_ isPending: Bool) {
        observe(\WCSession.hasContentPending, from: !isPending, to: isPending)
    }

    // MARK: - Notifications

    private func tellOwner(
        _ method: DelegateMethod, _ state: String? = nil,
        _ call: @escaping @Sendable (any WCSessionDelegate, WCSession) -> Void
    ) {
        queue.enqueue { [self] in
            guard let session = ownerSession, let delegate else { return }
            calling(method, with: .words(state)) { call(delegate, session) }
        }
    }
}

extension PresenceStateMachine {
    /// Watch only: true unless the phone is known to lack the app.
    var isPhoneAppInstalled: Bool { role == .companion && !peers.values.contains { !$0.isAppInstalled } }
}

extension AppActivity.State {
    /// The state of the app as Apple's modules show it.
    init(_ device: DeviceState) {
        self = device.application != .foreground ? .background : device.isWristDown ? .inactive : .active
    }
}

extension Companion {
    /// A description of its state for the log.
    var summary: String {
        let words = [
            isPaired ? "paired" : "unpaired", isAppInstalled ? "app installed" : "app not installed",
            isActive ? "active" : "not active", hasComplication ? "with complication" : "without complication",
        ]
        return words.joined(separator: ", ")
    }
}
