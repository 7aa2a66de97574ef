import DeviceShell
public import Foundation
public import LinkProtocol
import LinkTransport
import Locking
import SessionStorage

/// What a person does with a device, and what the system does with its app: beyond Apple's API, for tests and demonstrations.
///
/// All methods may be called from any thread but the delegate's, after the session was activated; before, they have no effect.
public final class DeviceSimulator: Sendable {
    let core: SessionCore

    init(_ core: SessionCore) { self.core = core }

    // MARK: - In words

    /// Does to the device what one word of the command line, of a scenario or of a test says.
    public func apply(_ deed: DeviceDeed) {
        switch deed {
        case .foreground: enter(.foreground)
        case .background: enter(.background)
        case .suspended: enter(.suspended)
        case .terminated: enter(.terminated)
        case .wristDown, .wristUp: setWristDown(deed == .wristDown)
        case .workoutStart, .workoutEnd: setWorkout(deed == .workoutStart)
        case .reboot: reboot()
        case .unlock: unlock()
        case .install, .uninstall: setAppInstalled(deed == .install)
        case .linkDown, .linkUp: setLinkUp(deed == .linkUp)
        }
    }

    /// Begins a fault, releases what was held, or ends all faults, as words say it.
    ///
    /// - Throws: If a disk's fault cannot be set.
    public func apply(_ deed: FaultDeed) throws {
        switch deed {
        case .add(let rule): inject(rule)
        case .addAtApp(let fault): inject(fault)
        case .disk(let fault, let writes): try setDisk(fault, after: writes)
        case .reachability(let fault): setReachability(fault)
        case .activation(let fault): setActivation(fault)
        case .release: releaseHeld()
        case .clear: try clearFaults()
        }
    }

    /// Host: does to one of its watches what words say.
    package func apply(_ deed: WatchDeed) throws(PairingError) {
        switch deed.change {
        case .switchTo: try switchTo(deed.watch)
        case .pair: try pair(deed.watch)
        case .unpair: try unpair(deed.watch)
        case .install: try setAppInstalled(true, on: deed.watch)
        case .uninstall: try setAppInstalled(false, on: deed.watch)
        case .complication(let isEnabled): try setComplicationEnabled(isEnabled, on: deed.watch)
        }
    }

    // MARK: - The app

    /// How the app is.
    public var application: ApplicationState { core.presence?.own.application ?? .terminated }

    /// Puts the app into another state. A suspended app's delegate is called again when it runs; a terminated one loses its
    /// reply handlers, and activates its session anew when it is launched.
    public func enter(_ state: ApplicationState) { change { $0.enter(state) } }

    /// Companion: the wrist goes down, and the app with it out of the foreground; or up again.
    public func setWristDown(_ isDown: Bool) { change { $0.change { $0.isWristDown = isDown } } }

    /// Companion: a workout keeps the app reachable while the wrist is down.
    public func setWorkout(_ isActive: Bool) { change { $0.change { $0.hasWorkout = isActive } } }

    /// Host: the phone starts anew. Its app is terminated, and nothing reaches it until the phone was unlocked.
    public func reboot() { change { $0.reboot() } }

    /// Host: the phone is unlocked for the first time since its start.
    public func unlock() { change { $0.change { $0.isLocked = false } } }

    /// Whether this device has the app. A watch without it is to its phone as one that ``setAppInstalled(_:on:)`` took it from.
    public func setAppInstalled(_ isInstalled: Bool) { change { $0.change { $0.isAppInstalled = isInstalled } } }

    // MARK: - The link

    /// Puts the two devices out of range of each other, or back into it.
    public func setLinkUp(_ isUp: Bool) {
        core.state.withLock { $0.isLinkUp = isUp }
        core.shell?.setLinkUp(isUp)
    }

    /// Makes the link another one, at once: slower, later, or broken.
    ///
    /// - Parameter device: Host: only this watch's link; nil for all.
    public func condition(_ condition: LinkCondition, for device: UUID? = nil) {
        core.shell?.condition { $0.set(condition, for: device) }
    }

    /// The same by the name of a condition.
    public func condition(_ preset: LinkPreset, for device: UUID? = nil) { condition(preset.condition, for: device) }

    /// What the link is like.
    public var linkCondition: LinkCondition { core.shell?.condition { $0.condition(of: nil) } ?? LinkCondition() }

    // MARK: - Faults

    /// Adds a fault: what happens to which packages, from now on.
    public func inject(_ rule: FaultRule) {
        core.shell?.faults { faults in
            faults.add(rule)
            return ((), [])
        }
    }

    /// Adds a fault that the application sees, from now on, also before the session is activated.
    public func inject(_ fault: AppFault) { core.changeAppFaults { $0.add(fault) } }

    /// The faults that the application sees.
    public var appFaults: [AppFault] { core.appFaults.withLock { $0.faults } }

    /// The faults of packages that hold.
    public var faults: [FaultRule] { core.shell?.faults { ($0.rules, []) } ?? [] }

    /// What was held or delayed goes on at once; the faults hold on.
    public func releaseHeld() { core.shell?.faults { ((), $0.release()) } }

    /// There are no faults any more, of packages, at the app, of reachability, of activation or of the disk.
    public func clearFaults() throws {
        if !appFaults.isEmpty { core.changeAppFaults { $0.clear() } }
        core.shell?.faults { ((), $0.clear()) }
        setReachability(ReachabilityFault())
        setActivation(ActivationFault())
        try setDisk(.none)
    }

    /// How this device's idea of who is reachable goes wrong.
    public func setReachability(_ fault: ReachabilityFault) { core.shell?.setReachability(fault) }

    /// What goes wrong the next times that the session is activated.
    public func setActivation(_ fault: ActivationFault) { core.state.withLock { $0.activationFault = fault } }

    /// Makes this device's disk fail: its databases, and the files that come in.
    ///
    /// - Parameter writes: How many writes succeed before.
    /// - Throws: If too many devices have faults.
    public func setDisk(_ fault: DiskFault, after writes: Int = 0) throws {
        guard let configuration = core.configuration else { return }
        try fault.apply(to: configuration.diskDirectory ?? configuration.stateDirectory, after: writes)
        core.state.withLock { $0.diskFault = (fault, writes) }
    }

    // MARK: - The phone's watches

    /// Host: the watches that are known, by their identifiers.
    public var companions: [Companion] {
        (core.presence.map { Array($0.companions.values) } ?? []).sorted {
            $0.identifier.uuidString < $1.identifier.uuidString
        }
    }

    /// Host: makes another watch the active one. A host that serves one watch at a time tells its app, which has to activate
    /// the session again.
    public func switchTo(_ watch: UUID) throws(PairingError) {
        try core.shell?.tryChange { presence throws(PairingError) in try presence.switchTo(watch) }
        core.drainIfDone()
    }

    /// Host: a new code that a watch which comes for the first time must show, if the host's pairing wants one. It takes the
    /// former code's place, is good for one watch, and is kept as a salted hash only.
    public func makePairingCode() throws -> String {
        guard core.role == .host, let shell = core.shell else { throw PairingError.notHost }
        return try shell.makePairingCode()
    }

    public func pair(_ watch: UUID) throws(PairingError) {
        try core.shell?.tryChange { presence throws(PairingError) in try presence.pair(watch) }
    }

    /// Host: forgets a watch. What is queued for it fails, and it is let in no more.
    public func unpair(_ watch: UUID) throws(PairingError) {
        try core.shell?.tryChange { presence throws(PairingError) in try presence.unpair(watch) }
    }

    /// Host: installs or removes the app on a watch. What is queued for a watch without it fails.
    public func setAppInstalled(_ isInstalled: Bool, on watch: UUID) throws(PairingError) {
        try core.shell?.tryChange { presence throws(PairingError) in
            try presence.setAppInstalled(isInstalled, watch)
        }
    }

    /// Host: puts the app's complication onto a watch's face, or takes it off.
    public func setComplicationEnabled(_ isEnabled: Bool, on watch: UUID) throws(PairingError) {
        try core.shell?.tryChange { presence throws(PairingError) in try presence.setComplication(isEnabled, watch) }
    }

    // MARK: - The ledger

    /// What became of the latest messages and transfers, in the order of their last change.
    ///
    /// - Parameters:
    ///   - sequence: Only what changed after this place.
    ///   - end: Only what changed before this place; nil for all.
    ///   - identifier: Only this message.
    /// - Throws: If the database cannot be read.
    public func ledger(
        after sequence: Int64 = 0, before end: Int64? = nil, identifier: UUID? = nil, limit: Int = 1_000
    ) throws -> [LedgerEntry] {
        var query = LedgerQuery()
        query.after = sequence
        query.before = end
        query.identifier = identifier
        query.limit = limit
        let entries = try core.shell?.home.ledger.entries(query) ?? []
        guard let (call, seconds) = core.overdueCall else { return entries }
        return entries.map { entry in
            guard entry.identifier == call.package, entry.cause == nil else { return entry }
            var entry = entry
            entry.cause = "\(call.method) has not returned for \(Int(seconds)) s"
            return entry
        }
    }

    /// Calls back once, when the ledger changes next.
    package func whenLedgerChanges(_ action: @escaping @Sendable () -> Void) {
        core.shell?.home.ledger.whenChanged(action)
    }

    /// Waits for the change, so that what is asked next is answered by it.
    private func change(_ event: @escaping @Sendable (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        core.shell?.change(event)
    }
}
