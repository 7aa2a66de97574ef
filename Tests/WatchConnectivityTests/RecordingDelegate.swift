import Foundation
import LinkProtocol
import Locking
import TestSupport

@testable import WatchConnectivity

/// Implements the whole protocol, and reports each call as one line.
final class RecordingDelegate: NSObject, WCSessionDelegate, Sendable {
    let events = Collector<String>()
    let activationErrors = Collector<any Error>()
    /// The directory to which received files are moved; nil leaves them to be removed.
    let fileTarget = Mutex<URL?>(nil)
    let finished = Mutex<[UncheckedBox<NSObject>]>([])
    /// Called in `sessionDidDeactivate`.
    let onDeactivate = Mutex<@Sendable (UncheckedBox<WCSession>) -> Void>({ $0.value.activate() })
    /// Called with each user info before it is recorded.
    let onUserInfo = Mutex<@Sendable () -> Void>({})

    /// Called with each received file.
    let onFile = Mutex<@Sendable (URL) -> Void>({ _ in })

    /// The transfers whose end was reported, in order.
    var finishedObjects: [NSObject] { finished.withLock { $0.map(\.value) } }

    /// Returns the received items of one kind, in order.
    func all(_ kind: String) -> [String] { events.all.filter { $0.hasPrefix(kind) } }

    private func name(_ session: WCSession) -> String { session.counterpart?.name ?? "" }

    private func text(_ dictionary: [String: Any]) -> String {
        dictionary.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
    }

    private func code(_ error: (any Error)?) -> String { error.map { "\(($0 as NSError).code)" } ?? "ok" }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        if let error { activationErrors.add(error) }
        events.add("activated \(state.rawValue) \(code(error))")
    }
    func sessionDidBecomeInactive(_ session: WCSession) { events.add("inactive \(session.activationState.rawValue)") }
    func sessionDidDeactivate(_ session: WCSession) {
        events.add("deactivated \(session.activationState.rawValue)")
        onDeactivate.withLock { $0 }(UncheckedBox(session))
    }
    func sessionWatchStateDidChange(_ session: WCSession) {
        events.add("watch paired=\(session.isPaired) app=\(session.isWatchAppInstalled)")
    }
    func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        events.add("companion app \(session.isCompanionAppInstalled)")
    }
    func sessionReachabilityDidChange(_ session: WCSession) {
        events.add("reachable\(name(session)) \(session.isReachable)")
    }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        events.add("message\(name(session)) \(text(message))")
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        events.add("message\(name(session)) \(text(message))")
        replyHandler(["echo": message])
    }
    func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
        events.add("context\(name(session)) \(text(context))")
    }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        onUserInfo.withLock { $0 }()
        events.add("userInfo\(name(session)) \(text(userInfo))")
    }
    func session(_ session: WCSession, didFinish transfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        let box = UncheckedBox<NSObject>(transfer)
        finished.withLock { $0.append(box) }
        events.add("finished userInfo \(text(transfer.userInfo)) \(code(error)) \(transfer.isTransferring)")
    }
    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        let size =
            (try? FileManager.default.attributesOfItem(atPath: file.fileURL.path(percentEncoded: false))[.size] as? Int)
            ?? -1
        onFile.withLock { $0 }(file.fileURL)
        if let target = fileTarget.withLock({ $0 }) {
            try? FileManager.default.removeItem(at: target)
            try? FileManager.default.moveItem(at: file.fileURL, to: target)
        }
        events.add("file\(name(session)) \(file.fileURL.lastPathComponent) \(size) \(text(file.metadata ?? [:]))")
    }
    func session(_ session: WCSession, didFinish transfer: WCSessionFileTransfer, error: (any Error)?) {
        let box = UncheckedBox<NSObject>(transfer)
        finished.withLock { $0.append(box) }
        events.add("finished file \(transfer.file.fileURL.lastPathComponent) \(code(error))")
    }
}
