import Foundation
import WatchConnectivity

/// The start of either app: it activates the session and observes what comes before and after.
enum Start {
    /// - Parameter delegate: The delegate; its owner keeps it.
    static func activate(_ stage: Stage, _ delegate: any WCSessionDelegate) {
        let session = stage.session
        session.delegate = delegate
        let isFirst = stage.memory.lives == 1
        let early = isFirst ? observeBefore(stage) : nil
        let journal = stage.journal
        stage.keep(
            session.observe(\.isReachable, options: [.new]) { @Sendable _, change in
                journal.within { journal.note(Entry("observer", ["step": "\(change.newValue ?? true)"])) }
            })
        session.activate()
        let entry = stage.journal.await(1, "activation", "", within: Patience.arrival).first
        guard let early else { return }
        stage.observe("activation.userInfoBefore", stage.endText(of: early, within: Patience.quiet))
        stage.observe("activation.completes", entry?.note ?? "activationDidComplete was not called")
        session.activate()
        Thread.sleep(forTimeInterval: Patience.quiet)
        stage.observe("activation.again", "called \(Wording.times(stage.journal.all("activation", "").count)) in all")
    }

    /// - Returns: A transfer that was queued too early.
    private static func observeBefore(_ stage: Stage) -> WCSessionUserInfoTransfer {
        stage.observe("activation.supported", "\(WCSession.isSupported())")
        stage.observe("activation.before", Wording.text(stage.session.activationState))
        stage.observe("activation.messageBefore", stage.send(stage.content("before")).outcome().text())
        stage.observe("activation.contextBefore", stage.set(context: stage.content("before")))
        let error: any Error = NSError(domain: WCErrorDomain, code: WCError.Code.messageReplyTimedOut.rawValue)
        stage.observe("errors.bridge", error is WCError ? "a WCError" : "no WCError")
        return stage.session.transferUserInfo(stage.content("before"))
    }
}
