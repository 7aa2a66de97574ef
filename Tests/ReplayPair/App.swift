import Foundation
import WatchConnectivity

/// What both apps of a pair have: a session, the change of this build, and calls that log their failures.
///
/// Unchecked: its state is used on the main queue only.
class App: NSObject, WCSessionDelegate, @unchecked Sendable {
    let change: Change
    private let lock = NSLock()
    var session: WCSession { .default }

    init(_ change: Change) { self.change = change }

    func activated() {}
    func received(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) { reply([:]) }
    func received(userInfo: [String: Any]) {}

    /// Stops the work of a build that ends like this.
    func stop(_ place: Change.Place) {
        if let death = change.death(place) { death.come() }
    }

    // MARK: - Calls

    func send(message: [String: Any], _ handler: @escaping ([String: Any]) -> Void) {
        let content = change.applied("sendMessage", message)
        if change.has("no-wait") { return session.sendMessage(content, replyHandler: nil) }
        let box = Handler(handler)
        session.sendMessage(content) { reply in
            box.call(reply)
        } errorHandler: { error in
            NSLog("sendMessage: %@", "\(error)")
        }
    }

    func send(data: Data) {
        session.sendMessageData(data, replyHandler: { _ in }, errorHandler: { NSLog("sendMessageData: %@", "\($0)") })
    }

    func send(userInfo: [String: Any]) {
        session.transferUserInfo(change.applied("transferUserInfo", userInfo))
    }

    func send(context: [String: Any]) {
        do {
            try session.updateApplicationContext(change.applied("updateApplicationContext", context))
        } catch {
            NSLog("updateApplicationContext: %@", "\(error)")
        }
    }

    func answer(_ content: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        let content = change.applied("reply", content)
        guard change.has("late-reply") else { return reply(content) }
        let handler = Handler(reply)
        let box = Handler { _ in handler.call(content) }
        DispatchQueue.main.asyncAfter(deadline: .now() + change.number) { box.call([:]) }
    }

    /// Never returns in some builds: the delegate's call waits for what nobody does, or for the main queue, which waits for it.
    private func hang() {
        if change.has("hang-alone") { DispatchSemaphore(value: 0).wait() }
        guard change.has("hang-in-cycle") else { return }
        lock.lock()
        DispatchQueue.main.sync { lock.lock() }
    }

    // MARK: - The delegate

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        stop(.activation)
        guard activationState == .activated else { return }
        DispatchQueue.main.async { self.activated() }
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        stop(.message)
        let (content, handler) = (Box(message), Handler(replyHandler))
        DispatchQueue.main.async { self.received(content.value, handler.call) }
    }

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) { replyHandler(Data("noted".utf8)) }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        hang()
        if userInfo["page"] != nil { stop(.info) }
        let content = Box(userInfo)
        DispatchQueue.main.async { self.received(userInfo: content.value) }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {}

    func session(_ session: WCSession, didReceive file: WCSessionFile) {}
}

/// Unchecked: it is only passed on.
final class Box<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Unchecked: a reply handler can be called from any thread.
final class Handler: @unchecked Sendable {
    private let body: ([String: Any]) -> Void

    init(_ body: @escaping ([String: Any]) -> Void) { self.body = body }

    func call(_ content: [String: Any]) { body(content) }
}
