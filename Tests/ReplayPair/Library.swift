import Foundation
import WatchConnectivity

/// A phone's app that lends books: it answers questions, confirms what was read, and tells the watch what there is.
///
/// Unchecked: its state is used on the main queue only.
final class Library: App, @unchecked Sendable {
    private var read = 0
    private var asked = 0
    /// True from the second start of a build that counts them.
    private var isStartedAgain = false

    override func activated() {
        if change.has("trap-again") {
            isStartedAgain = UserDefaults.standard.bool(forKey: "started")
            UserDefaults.standard.set(true, forKey: "started")
        }
        send(context: ["books": 3, "updated": Date(), "version": 2, "open": true])
        for minute in 1...3 {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(minute) * 600) { self.remind(minute) }
        }
        if change.has("burst") { send(userInfo: ["burst": 1]) }
    }

    private func remind(_ number: Int) {
        if change.has("silent") { return }
        if number == 2 { stop(.timer) }
        let reminder: [String: Any] = [
            "remind": number, "book": ["title": "Emma", "pages": 474, "tags": ["novel", "old"]],
        ]
        send(message: reminder) { _ in
            self.send(userInfo: ["reminded": number, "by": "phone"])
            if self.change.has("flood") { DispatchQueue.main.async { self.remind(number) } }
        }
        if change.has("twice", "sendMessage") { send(message: reminder) { _ in } }
    }

    override func received(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        asked += 1
        if asked == 2 {
            stop(.main)
            if change.has("finding") { FileHandle.standardError.write(Data("FINDING: shelf 7 \(change.last)\n".utf8)) }
        }
        if change.has("crash"), asked == 2 { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
        if change.has("exit"), asked == 2 { exit(7) }
        if change.has("no-reply") { return }
        if !isKnown(message) { return }
        answer(
            [
                "id": message["id"] ?? "", "title": "Emma", "pages": 474, "tags": ["novel", "old"], "kind": "novel",
                "due": Date(), "loan": UUID().uuidString, "price": 4.5, "lent": false,
            ], reply)
    }

    /// The questions that it knows.
    private enum Question: String { case book, shelf }

    /// Looks at what is asked for in the way of the change: a trap, no answer, an end of all work, or an unknown case.
    private func isKnown(_ message: [String: Any]) -> Bool {
        let question = Question(rawValue: message["question"] as? String ?? "")
        switch change.verb {
        case "trap":
            // swift-format-ignore: NeverForceUnwrap
            _ = question!.rawValue
        case "trap-again" where isStartedAgain && question == nil: preconditionFailure("a question of the future")
        case "ignore": return question != nil
        case "hang": if question == nil { DispatchSemaphore(value: 0).wait() }
        default: break
        }
        return true
    }

    override func received(userInfo: [String: Any]) {
        guard change.has("in-task") else { return confirm(userInfo["page"] as? Int ?? 0) }
        let page = userInfo["page"] as? Int ?? 0
        Task { @MainActor in self.confirm(page) }
    }

    private func confirm(_ page: Int) {
        read += 1
        if change.has("swap-infos") {
            send(userInfo: ["total": read])
            return send(userInfo: ["read": page, "at": Date()])
        }
        if change.has("context-first") { tellAll() }
        send(userInfo: ["read": page, "at": Date()])
        if !change.has("skip-total") { send(userInfo: ["total": read]) }
        if change.has("echo-info") { send(userInfo: ["total": read]) }
        if !change.has("context-first"), !change.has("no-context") { tellAll() }
    }

    private func tellAll() { send(context: ["books": 3 - read, "updated": Date(), "version": 2, "open": true]) }
}
