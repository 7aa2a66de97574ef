import WatchConnectivity

/// A client's model for its views, on the main actor.
@MainActor
final class Screen {
    private var answered = 0

    /// As one writes it at first: the closure belongs to the main actor, and is called elsewhere.
    func send() {
        WCSession.default.sendMessage(["n": 1]) { _ in
            self.note()
        } errorHandler: { _ in
            self.note()
        }
    }

    /// The same for data.
    func sendData() {
        WCSession.default.sendMessageData(Data([1])) { _ in
            self.note()
        } errorHandler: { _ in
            self.note()
        }
    }

    /// The closure belongs to nobody, and hops.
    func sendAndHop() {
        WCSession.default.sendMessage(["n": 1]) { @Sendable _ in
            Task { @MainActor in self.note() }
        } errorHandler: { @Sendable _ in
            say("failed")
        }
    }

    /// The method belongs to nobody, and so do its closures.
    nonisolated func sendFromOutside() {
        WCSession.default.sendMessage(["n": 1]) { _ in
            say("answered")
        } errorHandler: { _ in
            say("failed")
        }
    }

    /// The main queue is the main actor's, whichever thread serves it.
    nonisolated func noteOnMainQueue() {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { self.note() }
        }
    }

    private func note() {
        answered += 1
        say("answered")
    }
}
