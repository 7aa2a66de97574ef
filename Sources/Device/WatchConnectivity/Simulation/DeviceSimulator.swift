import DeviceShell
public import Foundation
public import LinkProtocol
import LinkTransport
import Locking
import SessionStorage

/// The control over a device and the environment of its app, by a person or the system: beyond Apple's API, for tests
/// and demonstrations.
///
/// The methods can be called on any thread except the delegate's, after activation of the session; before, they have no
/// effect.
public final class DeviceSimulator: Sendable {
    let core: SessionCore

    init(_ core: SessionCore) { self.core = core }

    // MARK: - Actions

    /// Applies an action, as named on the command line, in a scenario or in a test.
    public func apply(_ deed: DeviceDeed) {
        switch deed {
        case .linkDown, .linkUp: setLinkUp(deed == .linkUp)
        default:
            note(deed)
            change { $0.carryOut(deed) }
        }
    }

    /// Adds a fault, releases held packages, or removes all faults.
    ///
    /// - Throws: An error if a disk fault cannot be set.
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

    /// Applies an action to a watch of a host.
    package func apply(_ deed: WatchDeed) throws(PairingError) { try core.shell?.carryOut(deed) }

    // MARK: - The app

    /// The state of the app.
    public var application: ApplicationState { core.presence?.own.application ?? .terminated }

    /// Changes the state of the app. A suspended app's delegate is called again when it runs; a terminated one loses
    /// its reply handlers, and activates its session again when it is launched.
    public func enter(_ state: ApplicationState) { apply(DeviceDeed(state)) }

    /// Lowers the wrist of a companion, which removes the app from the foreground, or raises it again.
    public func setWristDown(_ isDown: Bool) { apply(isDown ? DeviceDeed.wristDown : .wristUp) }

    /// Starts or ends a workout of a companion, which keeps the app reachable while the wrist is down.
    public func setWorkout(_ isActive: Bool) { apply(isActive ? DeviceDeed.workoutStart : .workoutEnd) }

    /// Restarts a host's phone. Its app is terminated, and nothing reaches it until the phone is unlocked.
    public func reboot() { apply(DeviceDeed.reboot) }

    /// Unlocks a host's phone for the first time since its start.
    public func unlock() { apply(DeviceDeed.unlock) }

    /// Installs or removes the app on this device. To its phone, a watch without the app looks as if
    /// ``setAppInstalled(_:on:)`` had removed it.
    public func setAppInstalled(_ isInstalled: Bool) { apply(isInstalled ? DeviceDeed.install : .uninstall) }

    // MARK: - The link

    /// Takes the device out of range of its counterparts, or back into range.
    public func setLinkUp(_ isUp: Bool) {
        note(isUp ? DeviceDeed.linkUp : .linkDown)
        core.state.withLock { $0.isLinkUp = isUp }
        core.shell?.setLinkUp(isUp)
    }

    /// Changes the condition of the link, effective immediately.
    ///
    /// - Parameters:
    ///   - condition: The new condition.
    ///   - device: The watch to whose link a host limits the change; nil for all.
    public func condition(_ condition: LinkCondition, for device: UUID? = nil) {
        note("link", ["condition"] + condition.words + (device.map { ["--device", $0.uuidString] } ?? []))
        core.shell?.condition { $0.set(condition, for: device) }
    }

    /// Changes the condition of the link to a preset, effective immediately.
    public func condition(_ preset: LinkPreset, for device: UUID? = nil) { condition(preset.condition, for: device) }

    /// The condition of the link.
    public var linkCondition: LinkCondition { core.shell?.condition { $0.condition(of: nil) } ?? LinkCondition() }

    // MARK: - Faults

    /// Adds a fault rule for packages, effective from now on.
    public func inject(_ rule: FaultRule) {
        note(FaultDeed.add(rule))
        core.shell?.faults { faults in
            faults.add(rule)
            return ((), [])
        }
    }

    /// Adds a fault that the app sees, effective from now on, even before the session is activated.
    public func inject(_ fault: AppFault) {
        note(FaultDeed.addAtApp(fault))
        core.changeAppFaults { $0.add(fault) }
    }

    /// The faults that the app sees.
    public var appFaults: [AppFault] { core.appFaults.withLock { $0.faults } }

    /// The active fault rules for packages.
    public var faults: [FaultRule] { core.shell?.faults { ($0.rules, []) } ?? [] }

    /// Releases the held and delayed packages immediately; the faults stay active.
    public func releaseHeld() {
        note(FaultDeed.release)
        core.shell?.faults { ((), $0.release()) }
    }

    /// Removes all faults: of packages, of the app, of reachability, of activation and of the disk.
    ///
    /// - Throws: An error if the disk fault cannot be removed.
    public func clearFaults() throws {
        note(FaultDeed.clear)
        if !appFaults.isEmpty { core.changeAppFaults { $0.clear() } }
        core.shell?.faults { ((), $0.clear()) }
        core.shell?.setReachability(ReachabilityFault())
        core.state.withLock { $0.activationFault = ActivationFault() }
        try changeDisk(.none, after: 0)
    }

    /// Sets the fault that distorts this device's view of reachability.
    public func setReachability(_ fault: ReachabilityFault) {
        note(FaultDeed.reachability(fault))
        core.shell?.setReachability(fault)
    }

    /// Sets the fault of future activations of the session.
    public func setActivation(_ fault: ActivationFault) {
        note(FaultDeed.activation(fault))
        core.state.withLock { $0.activationFault = fault }
    }

    /// Sets the fault of this device's disk, which affects its databases and incoming files.
    ///
    /// - Parameters:
    ///   - fault: The fault, or none.
    ///   - writes: The number of writes that still succeed.
    /// - Throws: An error if too many devices have faults.
    public func setDisk(_ fault: DiskFault, after writes: Int = 0) throws {
        note(FaultDeed.disk(fault, after: writes))
        try changeDisk(fault, after: writes)
    }

    private func changeDisk(_ fault: DiskFault, after writes: Int) throws {
        guard let configuration = core.configuration else { return }
        try fault.apply(to: configuration.diskDirectory ?? configuration.stateDirectory, after: writes)
        core.state.withLock { $0.diskFault = (fault, writes) }
    }

    // MARK: - The phone's watches

    /// The watches that a host knows, ordered by identifier.
    public var companions: [Companion] {
        (core.presence.map { Array($0.companions.values) } ?? []).sorted {
            $0.identifier.uuidString < $1.identifier.uuidString
        }
    }

    /// Makes another watch of a host the active one. A host that serves one watch at a time notifies its app, which
    /// must activate the session again.
    ///
    /// - Throws: `PairingError` if the switch is refused.
    public func switchTo(_ watch: UUID) throws(PairingError) {
        try apply(WatchDeed(.switchTo, of: watch))
    }

    /// Creates a code that a new watch must present if the host's pairing requires one. It replaces the previous code,
    /// is valid for one watch, and is stored as a salted hash only.
    ///
    /// - Throws: `PairingError.notHost` on a companion or before activation; an error if the code cannot be created
    ///   or stored.
    public func makePairingCode() throws -> String {
        guard core.role == .host, let shell = core.shell else { throw PairingError.notHost }
        return try shell.makePairingCode()
    }

    /// Pairs a watch with a host.
    ///
    /// - Throws: `PairingError` if it is refused.
    public func pair(_ watch: UUID) throws(PairingError) {
        try apply(WatchDeed(.pair, of: watch))
    }

    /// Unpairs a watch from a host. Transfers queued for it fail, and it can no longer connect.
    ///
    /// - Throws: `PairingError` if it is refused.
    public func unpair(_ watch: UUID) throws(PairingError) {
        try apply(WatchDeed(.unpair, of: watch))
    }

    /// Installs or removes the app on a watch of a host. Transfers queued for a watch without it fail.
    ///
    /// - Throws: `PairingError` if it is refused.
    public func setAppInstalled(_ isInstalled: Bool, on watch: UUID) throws(PairingError) {
        try apply(WatchDeed(isInstalled ? .install : .uninstall, of: watch))
    }

    /// Adds the app's complication to the face of a host's watch, or removes it.
    ///
    /// - Throws: `PairingError` if it is refused.
    public func setComplicationEnabled(_ isEnabled: Bool, on watch: UUID) throws(PairingError) {
        try apply(WatchDeed(.complication(isEnabled: isEnabled), of: watch))
    }

    // MARK: - The ledger

    /// Returns the states of the latest messages and transfers, in the order of their last change.
    ///
    /// - Parameters:
    ///   - sequence: Only entries that changed after this sequence number.
    ///   - end: Only entries that changed before this sequence number; nil for no limit.
    ///   - identifier: Only the entries of this message or transfer; nil for all.
    ///   - limit: The maximum number of entries.
    /// - Throws: An error if the database cannot be read.
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

    /// Calls back once, at the next change of the ledger.
    package func whenLedgerChanges(_ action: @escaping @Sendable () -> Void) {
        core.shell?.home.ledger.whenChanged(action)
    }

    /// Waits for the change, so that later queries see it.
    private func change(_ event: @escaping @Sendable (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        core.shell?.change(event)
    }
}
