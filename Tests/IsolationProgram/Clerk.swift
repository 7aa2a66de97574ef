import WatchConnectivity

/// An executor of the client's own, which vouches for the code that runs elsewhere.
final class Desk: SerialExecutor {
    private let queue = DispatchQueue(label: "desk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { say("vouched") }
}

/// A client's actor that sends messages, at a desk.
actor Clerk {
    private let desk = Desk()
    private var answered = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { desk.asUnownedSerialExecutor() }

    /// The closure belongs to the actor, and is called elsewhere, which its executor permits.
    func send() {
        WCSession.default.sendMessage(["n": 1]) { _ in
            self.note()
        } errorHandler: { _ in
            self.note()
        }
    }

    private func note() {
        answered += 1
        say("answered")
    }
}
