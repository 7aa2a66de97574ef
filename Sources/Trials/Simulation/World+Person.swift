import LinkProtocol

/// Actions of a person on a device, or of the system on its app.
extension World {
    func carryOut(_ deed: DeviceDeed, on node: Int) {
        switch deed {
        case .foreground: enter(.foreground, node)
        case .background: enter(.background, node)
        case .suspended: enter(.suspended, node)
        case .terminated: enter(.terminated, node)
        case .wristDown, .wristUp: change(node) { $0.isWristDown = deed == .wristDown }
        case .workoutStart, .workoutEnd: change(node) { $0.hasWorkout = deed == .workoutStart }
        case .reboot: nodes[node].process?.change { $0.reboot() }
        case .unlock: change(node) { $0.isLocked = false }
        case .install, .uninstall: change(node) { $0.isAppInstalled = deed == .install }
        case .linkDown, .linkUp: setLinkUp(node, deed == .linkUp)
        }
    }

    func carryOut(_ change: WatchDeed.Change, on watch: Int) {
        switch change {
        case .switchTo: serve(watch)
        case .complication(let isEnabled): showComplication(watch, isEnabled)
        // Plans take these back after a while, by deeds of their own.
        case .pair, .unpair, .install, .uninstall: break
        }
    }

    private func enter(_ state: ApplicationState, _ node: Int) { nodes[node].process?.change { $0.enter(state) } }

    private func change(_ node: Int, _ change: @escaping (inout DeviceState) -> Void) {
        nodes[node].process?.change { $0.change(change) }
    }
}
