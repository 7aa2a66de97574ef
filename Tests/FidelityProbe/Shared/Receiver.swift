import Foundation
import WatchConnectivity

/// The delegate of either app, without what only one of them has: it notes each call, and answers as the step wants.
///
/// Unchecked: the kept handlers are used in the delegate's calls, which come one at a time.
final class Receiver: @unchecked Sendable {
    /// Bytes of a reply that is too large.
    private static let tooLarge = 70_000
    /// How long a call of the burst takes, in seconds: two calls at a time would be noticed.
    private static let burst: TimeInterval = 0.02

    private let stage: Stage
    private var kept: [([String: Any]) -> Void] = []

    init(_ stage: Stage) { self.stage = stage }

    /// Notes a call of the delegate.
    func note(_ method: String, _ content: [String: Any] = [:], _ more: (inout Entry) -> Void = { _ in }) {
        var entry = Entry(method, content)
        more(&entry)
        stage.journal.within {
            if entry.step == "message.order" { Thread.sleep(forTimeInterval: Self.burst) }
            stage.journal.note(entry)
        }
    }

    func noteContext(_ context: [String: Any], _ property: [String: Any]) {
        note("didReceiveContext", context) { entry in
            entry.note = "delivered; the property is \(Wording.isSame(context, property) ? "the same" : "another")"
        }
    }

    func finish(_ transfer: AnyObject, _ content: [String: Any], _ error: (any Error)?) {
        note("didFinish", content) { entry in
            entry.transfer = transfer
            entry.error = error
        }
    }

    /// Answers a message that waits for a reply.
    func answer(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        if message["order"] != nil {
            stage.journal.within { stage.journal.note(Entry("order", message)) }
            return reply([:])
        }
        note("didReceiveMessageWithReply", message)
        stage.journal.within {
            switch message["step"] as? String {
            case "replies.none": kept.append(reply)
            case "replies.dropped": break
            case "replies.tooLarge": reply(["filler": Data(count: Self.tooLarge)])
            case "replies.types": reply(["identifier": UUID()])
            case "replies.late":
                let box = ReplyBox(reply)
                DispatchQueue.global().asyncAfter(deadline: .now() + 5) { box.reply(message: ["late": true]) }
            case "replies.twice":
                reply(["which": "first"])
                stage.memory.risk("replies.survived") { reply(["which": "second"]) }
                stage.observe("replies.survived", "it goes on")
            case "message.inCall": sendInCall(reply)
            case "wake": reply(["background": stage.isInBackground])
            default: reply(message)
            }
        }
    }

    /// Sends a message within the delegate's call, and stays in it for a moment.
    private func sendInCall(_ reply: ([String: Any]) -> Void) {
        let journal = stage.journal
        let place = Place()
        stage.session.sendMessage(
            stage.content("message.answer"),
            replyHandler: { @Sendable _ in
                var entry = Entry("replyInCall")
                entry.note = place.isLeft ? "reply after the call" : "reply within the call"
                journal.note(entry)
            },
            errorHandler: { @Sendable error in
                var entry = Entry("replyInCall")
                entry.note = Wording.text(error)
                journal.note(entry)
            })
        Thread.sleep(forTimeInterval: 1)
        reply([:])
        place.leave()
    }

    /// Takes a received file: one that the step keeps is moved.
    func take(_ file: WCSessionFile) {
        let metadata = file.metadata
        note("didReceiveFile", metadata ?? [:]) { entry in
            entry.step = metadata.flatMap { $0["step"] as? String } ?? "file.plain"
            let bytes = FileManager.default.contents(atPath: file.fileURL.path)
            let size = bytes.map { "\($0.count) \($0 == Step.bytes($0.count) ? "bytes as sent" : "other bytes")" }
            let title = metadata.map { Wording.value($0["title"]) } ?? "no metadata"
            entry.note = "\(size ?? "unreadable"), name \(file.fileURL.lastPathComponent), title \(title)"
            entry.content["path"] = file.fileURL.path
            guard entry.step == "file.moved" else { return }
            let place = stage.files.appendingPathComponent("kept")
            do {
                if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
                try FileManager.default.moveItem(at: file.fileURL, to: place)
                entry.content["path"] = place.path
            } catch {
                entry.note = "cannot be moved"
            }
        }
    }
}
