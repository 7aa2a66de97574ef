import Foundation

extension Step {
    static let limits = Step("limits") { stage in
        func observe(_ claim: String, _ content: [String: Any]) {
            stage.observe(claim, stage.send(content).outcome().text(echo: content))
        }
        observe("limits.message", stage.content("limits", bytes: 60_000))
        observe("limits.messageTooLarge", stage.content("limits", bytes: 70_000))
        stage.observe("limits.dataTooLarge", stage.send(Data(count: 70_000)).outcome().text())
        observe("limits.messageTypes", stage.content("limits", 1, ["identifier": UUID()]))
        observe("limits.messageNull", stage.content("limits", 2, ["list": [1, NSNull()]]))
        stage.observe("limits.context", stage.set(context: stage.content("limits", bytes: 200_000)))
        stage.observe("limits.contextTooLarge", stage.set(context: stage.content("limits", bytes: 300_000)))
        stage.observe("limits.contextTypes", stage.set(context: stage.content("limits", 1, ["identifier": UUID()])))
        let large = stage.session.transferUserInfo(stage.content("limits", bytes: 70_000))
        stage.observe("limits.userInfoTooLarge", stage.endText(of: large))
        let typed = stage.session.transferUserInfo(stage.content("limits", 1, ["identifier": UUID()]))
        stage.observe("limits.userInfoTypes", stage.endText(of: typed))
        let file = stage.session.transferFile(
            stage.file("limits.bin", Data([1])), metadata: stage.content("limits", 1, ["identifier": UUID()]))
        stage.observe("limits.metadataTypes", stage.endText(of: file))
    }

    static let replies = Step("replies") { stage in
        for claim in ["replies.late", "replies.tooLarge", "replies.types"] {
            let outcome = stage.send(stage.content(claim)).outcome()
            stage.observe(claim, outcome.text(echo: ["late": true]))
        }
        // Both wait at the same time: how long a device waits is documented nowhere.
        let waiting = ["replies.none", "replies.dropped"].map { ($0, stage.send(stage.content($0))) }
        for (claim, message) in waiting { stage.observe(claim, message.outcome().text()) }
        // The last one, because a device may end the app that answers twice.
        let twice = stage.send(stage.content("replies.twice"))
        let outcome = twice.outcome()
        Thread.sleep(forTimeInterval: Patience.quiet)
        let first = if case .reply(let reply) = outcome { reply["which"] as? String } else { nil as String? }
        stage.observe("replies.twice", "\(first ?? outcome.text()), handlers called: \(twice.calls)")
    }
}
