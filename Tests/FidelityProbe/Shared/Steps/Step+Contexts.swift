import Foundation

extension Step {
    static let contexts = Step("context") { stage in
        let content = stage.content("context", 1, ["level": 5])
        let isAccepted = stage.set(context: content)
        let isSame = Wording.isSame(stage.session.applicationContext, content)
        stage.observe("context.sent", "\(isAccepted), then \(isSame ? "the same" : "another")")
        Thread.sleep(forTimeInterval: Patience.quiet)
        _ = stage.set(context: content)
        Thread.sleep(forTimeInterval: Patience.quiet)
        _ = stage.set(context: [:])
        Thread.sleep(forTimeInterval: Patience.quiet)
        // The last one is there again after a relaunch.
        _ = stage.set(context: stage.content("context", 2))
    } judge: { stage in
        _ = Patience.until(Patience.arrival) { stage.journal.all("didReceiveContext", "context").last?.number == 2 }
        let first = stage.journal.all("didReceiveContext", "context").filter { $0.number == 1 }
        stage.observe("context.arrives", first.first?.note ?? "not delivered")
        stage.observe("context.equal", "delivered \(Wording.times(first.count))")
        let empty = stage.journal.all { $0.method == "didReceiveContext" && $0.content.isEmpty }
        stage.observe("context.empty", "delivered \(Wording.times(empty.count))")
    }

    static let userInfos = Step("userInfo") { stage in
        let sent = (1...10).map { stage.session.transferUserInfo(stage.content("userInfo", $0)) }
        let empty = stage.session.transferUserInfo([:])
        stage.observe("userInfo.didFinish", stage.endText(of: sent[9]))
        _ = stage.end(of: empty)
        let isOutstanding = stage.session.outstandingUserInfoTransfers.contains(sent[9])
        stage.observe("userInfo.finished", "outstanding \(isOutstanding), transferring \(sent[9].isTransferring)")
    } judge: { stage in
        let entries = stage.journal.await(10, "didReceiveUserInfo", "userInfo", within: Patience.arrival)
        stage.observe("userInfo.order", Wording.order(entries))
        let isEmpty: (Entry) -> Bool = { $0.method == "didReceiveUserInfo" && $0.content.isEmpty }
        _ = Patience.until(Patience.arrival) { !stage.journal.all(isEmpty).isEmpty }
        stage.observe("userInfo.empty", "delivered \(Wording.times(stage.journal.all(isEmpty).count))")
    }
}
