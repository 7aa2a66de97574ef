import Foundation

extension Step {
    static let messages = Step("message") { stage in
        let content = stage.content("message", 1, ["question": "how far?"])
        stage.observe("message.reply", stage.send(content).outcome().text(echo: content))
        stage.session.sendMessage(stage.content("message", 2), replyHandler: nil)
        // The empty dictionary is its own step.
        stage.observe("message.empty", stage.send([String: Any]()).outcome().text())
    } judge: { stage in
        let plain = stage.journal.await(1, "didReceiveMessage", "message", within: Patience.arrival)
        let asked = stage.journal.all("didReceiveMessageWithReply", "message")
        let methods = "with a reply handler: \(Wording.order(asked)); without: \(Wording.order(plain))"
        stage.observe("message.method", methods)
    }

    static let data = Step("data") { stage in
        stage.observe("message.data", stage.send(Data([1, 2, 3])).outcome().text())
        // Only the phone's delegate has the method for it.
        let message = SentMessage(stage.journal)
        stage.session.sendMessageData(
            Data([4, 5]), replyHandler: nil, errorHandler: { @Sendable in message.end(.failed($0)) })
        guard stage.side == .phone else { return }
        stage.observe("message.missingMethod", message.outcome().text())
    } judge: { stage in
        guard stage.side == .phone else { return }
        let plain = stage.journal.await(1, "didReceiveMessageData", "", within: Patience.arrival)
        stage.observe("message.plainData", plain.map(\.note).joined(separator: ", "))
    }

    /// The messages of a burst.
    private static let burst = 20

    static let order = Step("message.order") { stage in
        let sent = (1...burst).map { stage.send(stage.content("message.order", $0)) }
        for message in sent { _ = message.outcome() }
    } judge: { stage in
        let entries = stage.journal.await(
            burst, "didReceiveMessageWithReply", "message.order", within: Patience.arrival)
        stage.observe("message.order", Wording.order(entries))
    }

    static let inCall = Step("message.inCall") { stage in
        _ = stage.send(stage.content("message.inCall")).outcome()
    } judge: { stage in
        let entries = stage.journal.await(1, "replyInCall", "", within: Patience.handler)
        stage.observe("message.inCall", entries.first?.note ?? "no handler was called")
    }
}
