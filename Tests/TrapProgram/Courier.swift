import WatchConnectivity

/// An app's actor that sends messages.
actor Courier {
    private var answers = 0

    /// As one writes it at first: the closure belongs to the actor, and is called elsewhere.
    func send() {
        WCSession.default.sendMessage(["n": 6]) { _ in
            self.answers += 1
        } errorHandler: { @Sendable _ in
        }
    }

    /// The closure belongs to nobody, and hops.
    func sendAndHop() {
        WCSession.default.sendMessage(["n": 6]) { @Sendable _ in
            Task { await self.count() }
        } errorHandler: { @Sendable _ in
        }
    }

    private func count() { answers += 1 }
}
