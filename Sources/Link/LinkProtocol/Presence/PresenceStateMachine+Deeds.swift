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
}
