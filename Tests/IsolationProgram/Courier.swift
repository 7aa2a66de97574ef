import WatchConnectivity

/// A client's actor that sends messages.
actor Courier {
    private var answered = 0

    /// As one writes it at first: the closure belongs to the actor, and is called elsewhere.
    func send() {
        WCSession.default.sendMessage(["n": 1]) { _ in
            self.note()
        } errorHandler: { _ in
            self.note()
        }
    }

    /// The closure belongs to nobody, and says nothing of the actor's.
    func sendFree() {
        WCSession.default.sendMessage(["n": 1]) { @Sendable _ in
            say("answered")
        } errorHandler: { @Sendable _ in
            say("failed")
        }
    }

    /// The closure belongs to nobody, and hops.
    func sendAndHop() {
        WCSession.default.sendMessage(["n": 1]) { @Sendable _ in
            Task { await self.note() }
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

    /// The closure belongs to nobody, and ends the program by itself.
    nonisolated func sendAndTrap() {
        WCSession.default.sendMessage(["n": 1]) { @Sendable _ in
            _ = raise(SIGFPE)
        } errorHandler: { @Sendable _ in
            say("failed")
        }
    }

    /// The closure belongs to nobody, and waits for what never comes.
    nonisolated func sendAndBlock() {
        WCSession.default.sendMessage(["n": 1]) { @Sendable _ in
            DispatchSemaphore(value: 0).wait()
        } errorHandler: { @Sendable _ in
            say("failed")
        }
    }

    private func note() {
        answered += 1
        say("answered")
    }
}
