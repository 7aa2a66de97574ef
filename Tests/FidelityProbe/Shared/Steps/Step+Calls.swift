import Foundation

extension Step {
    /// What was counted in all steps before.
    static let calls = Step("calls") { stage in
        let wrong = stage.messages.count { $0.calls != 1 }
        stage.observe(
            "calls.oneHandler", wrong == 0 ? "one call for each message" : "another number for \(wrong) messages")
        stage.observe("calls.notMain", "\(stage.journal.callsOnMain) calls on the main thread")
        stage.observe("calls.serial", "at most \(stage.journal.mostAtATime) at a time")
    }

    /// The watch sends until the phone's app replies from the background.
    static let wake = Step("wake") { stage in
        let isDone = Patience.until(Patience.person) {
            Thread.sleep(forTimeInterval: 5)
            let isReachable = stage.session.isReachable
            guard case .reply(let reply) = stage.send(stage.content("wake")).outcome(),
                reply["background"] as? Bool == true
            else { return false }
            stage.observe("background.phone", "reachable \(isReachable)")
            stage.observe("background.wake", "reply")
            return true
        }
        guard !isDone else { return }
        stage.memory.omit(
            ["background.phone", "background.wake"], because: "no reply came from a phone app in the background")
    }
}
