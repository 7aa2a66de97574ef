import WatchConnectivity

/// An app that talks to its counterpart. Most are launched as the extension below does it.
protocol SessionApp: WCSessionDelegate {
    func launch()
    /// The session is activated; called on the main queue.
    func activated()
}

extension SessionApp {
    var session: WCSession { WCSession.default }

    func launch() {
        session.delegate = self
        session.activate()
    }

    func activated() {}

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
    ) {
        guard activationState == .activated else {
            return DispatchQueue.main.asyncAfter(deadline: .now() + 5) { session.activate() }
        }
        DispatchQueue.main.async { self.activated() }
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }
}
