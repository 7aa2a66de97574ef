import DeviceEngine
import LinkProtocol

/// The state of the devices when all is at rest.
extension World {
    /// Checks that no device holds anything, and that all know the truth.
    func checkRest() {
        guard chronicle.violation == nil else { return }
        for node in nodes { if let process = node.process { checkRest(of: process) } }
        for watch in nodes.dropFirst() where !isInTouch(watch.index) {
            chronicle.fail(.tellsTruth, "the phone and node \(watch.index) \(touch(watch.index))")
        }
        if let complaint = notes.complaint() { chronicle.fail(.notes, complaint) }
    }

    private func checkRest(of process: SimulatedShell) {
        let node = process.node
        let counts = [
            ("unhandled packages", process.engine.undeliveredPackages),
            ("messages without a reply", process.engine.outstandingMessages),
            ("delegate calls", process.calls.waiting.count),
            ("waiters for quizzes", process.quizzes.waiterCount),
            ("unfinished transfers", process.engine.pendingTransfers),
            ("undelivered transfers", process.undelivered),
            ("incoming transfers in its store", node.session.content.inbox.count),
            ("ended transfers that were reported", node.session.content.ended.count),
            ("open files to send", process.openSources.count),
            ("open files to receive", mayLeaveParts ? 0 : process.openParts.count),
            ("connections that are not read", process.endpoints.count { !$0.isReading }),
        ]
        for (what, count) in counts where count > 0 {
            chronicle.fail(.bounded, "node \(node.index) is at rest, but holds \(count) \(what)")
        }
        process.checkMistake()
        let companions = process.ask { $0.session.presence.companions }
        if node.role == .host, companions != node.session.content.companions {
            chronicle.fail(.tellsTruth, "the records of the watches are not those of the session: \(companions)")
        }
    }

    /// Returns true if a watch and the phone know each other's state and their apps know whether they are reachable.
    func isInTouch(_ watch: Int) -> Bool {
        guard let phone = nodes[0].process, let other = nodes[watch].process else { return false }
        let (phoneDevice, watchDevice) = (nodes[0].device.identifier, nodes[watch].device.identifier)
        let isServed = isServed(watch)
        var shown = phone.ask { $0.session.presence.own }
        shown.serves = isServed
        return phone.ask { $0.session.presence.peers[watchDevice] } == other.ask { $0.session.presence.own }
            && other.ask { $0.session.presence.peers[phoneDevice] } == shown
            && phone.view.reachable.contains(watchDevice) == isServed
            && other.view.reachable.contains(phoneDevice) == isServed
    }

    /// Describes what a watch and the phone know of each other.
    private func touch(_ watch: Int) -> String {
        guard let phone = nodes[0].process, let other = nodes[watch].process else { return "do not run" }
        let (phoneDevice, watchDevice) = (nodes[0].device.identifier, nodes[watch].device.identifier)
        return """
            are not in touch: served \(isServed(watch)); the phone says \(phone.ask { $0.session.presence.own }), the watch heard \
            \(other.ask { $0.session.presence.peers[phoneDevice] } as Any) and was told \
            \(other.view.reachable.contains(phoneDevice)); the watch says \(other.ask { $0.session.presence.own }), the phone heard \
            \(phone.ask { $0.session.presence.peers[watchDevice] } as Any) and was told \(phone.view.reachable.contains(watchDevice))
            """
    }
}
