import LinkProtocol

/// Actions of a person on a device, or of the system on its app.
extension World {
    func carryOut(_ deed: DeviceDeed, on node: Int) {
        switch deed {
        case .linkDown, .linkUp: setLinkUp(node, deed == .linkUp)
        default: nodes[node].process?.change { $0.carryOut(deed) }
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
}
