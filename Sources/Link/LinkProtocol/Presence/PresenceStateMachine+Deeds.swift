extension PresenceStateMachine {
    /// Carries out an action of a person or of the system, except on the link, which is not the presence's.
    package mutating func carryOut(_ deed: DeviceDeed) -> [Action] {
        switch deed {
        case .foreground: enter(.foreground)
        case .background: enter(.background)
        case .suspended: enter(.suspended)
        case .terminated: enter(.terminated)
        case .wristDown, .wristUp: change { $0.isWristDown = deed == .wristDown }
        case .workoutStart, .workoutEnd: change { $0.hasWorkout = deed == .workoutStart }
        case .reboot: reboot()
        case .unlock: change { $0.isLocked = false }
        case .install, .uninstall: change { $0.isAppInstalled = deed == .install }
        case .linkDown, .linkUp: []
        }
    }

    /// Carries out an action on one of the phone's watches.
    ///
    /// - Throws: `PairingError` if it is refused; then nothing has changed.
    package mutating func carryOut(_ deed: WatchDeed) throws(PairingError) -> [Action] {
        switch deed.change {
        case .switchTo: try switchTo(deed.watch)
        case .pair: try pair(deed.watch)
        case .unpair: try unpair(deed.watch)
        case .install: try setAppInstalled(true, deed.watch)
        case .uninstall: try setAppInstalled(false, deed.watch)
        case .complication(let isEnabled): try setComplication(isEnabled, deed.watch)
        }
    }
}
