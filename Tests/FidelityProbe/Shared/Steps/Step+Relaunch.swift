import Foundation

extension Step {
    /// The phone sends while the watch's app is not running; the watch's new process judges.
    static let relaunch = Step("relaunch") { stage in
        for number in 1...3 { stage.session.transferUserInfo(stage.content("relaunch", number)) }
    } judge: { stage in
        let entries = stage.journal.await(3, "didReceiveUserInfo", "relaunch", within: Patience.arrival)
        stage.observe("relaunch.userInfos", Wording.order(entries))
    }
}
