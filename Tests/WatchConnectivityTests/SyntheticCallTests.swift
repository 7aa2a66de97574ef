import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

/// Notes each call with its content, and whether a received file is there.
private final class ListingDelegate: NSObject, WCSessionDelegate, Sendable {
    let calls = Collector<String>()
    let files = Collector<URL>()

    private func text(_ dictionary: [String: Any]?) -> String {
        (dictionary ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
    }
    private func code(_ error: (any Error)?) -> String { error.map { "\(($0 as NSError).code)" } ?? "ok" }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        calls.add("activation")
    }
    func sessionDidBecomeInactive(_ session: WCSession) { calls.add("inactive") }
    func sessionDidDeactivate(_ session: WCSession) { calls.add("deactivated") }
    func sessionWatchStateDidChange(_ session: WCSession) { calls.add("watch state") }
    func sessionCompanionAppInstalledDidChange(_ session: WCSession) { calls.add("companion app") }
    func sessionReachabilityDidChange(_ session: WCSession) { calls.add("reachability") }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        calls.add("message \(text(message))")
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        calls.add("message \(text(message)) to answer")
        replyHandler([:])
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        calls.add("data \(String(decoding: messageData, as: UTF8.self))")
    }
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        calls.add("data \(String(decoding: messageData, as: UTF8.self)) to answer")
        replyHandler(Data())
    }
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        calls.add("context \(text(applicationContext))")
    }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        calls.add("user info \(text(userInfo))")
    }
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        calls.add("finished user info \(code(error))")
    }
    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        files.add(file.fileURL)
        let path = file.fileURL.path(percentEncoded: false)
        let content = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        calls.add("file \(file.fileURL.lastPathComponent) “\(content ?? "missing")” \(text(file.metadata))")
    }
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        calls.add("finished file \(code(error))")
    }
}

/// Has only the required method.
private final class RequiredDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
}

@Suite("Calls of a delegate in place of the device")
struct SyntheticCallTests {
    private static let common = [
        "reachability", "message watchlink=lint", "message watchlink=lint to answer", "data watchlink lint",
        "data watchlink lint to answer", "context watchlink=lint", "user info watchlink=lint",
        "file watchlink-lint.txt “watchlink lint” watchlink=lint", "finished user info ok", "finished user info 7017",
        "finished file ok", "finished file 7017",
    ]

    @Test(
        "Each method that a device of a role calls is called, with content, and switches of the watch come last",
        arguments: [
            (DeviceRole.host, ["watch state", "inactive", "deactivated"]), (.companion, ["companion app"]),
        ])
    func calls(_ role: DeviceRole, _ own: [String]) {
        let (session, delegate) = (WCSession(), ListingDelegate())
        for call in SyntheticCall.all(role) { call.perform(session, delegate) }
        #expect(delegate.calls.all == Self.common + own)
    }

    @Test(
        "Each call is known by the name of the method that it calls",
        arguments: [
            (DeviceRole.host, [DelegateMethod.watchStateDidChange, .didBecomeInactive, .didDeactivate]),
            (.companion, [.companionAppInstalledDidChange]),
        ])
    func names(_ role: DeviceRole, _ own: [DelegateMethod]) {
        let common: [DelegateMethod] = [
            .reachabilityDidChange, .didReceiveMessage, .didReceiveMessageWithReply, .didReceiveMessageData,
            .didReceiveMessageDataWithReply, .didReceiveContext, .didReceiveUserInfo, .didReceiveFile, .didFinish,
            .didFinish, .didFinish, .didFinish,
        ]
        let methods = SyntheticCall.all(role).map(\.method)
        #expect(methods == common + own)
    }

    @Test("The file of a call is removed afterwards, with its folder")
    func file() throws {
        let (session, delegate) = (WCSession(), ListingDelegate())
        for call in SyntheticCall.all(.host) where call.method == .didReceiveFile { call.perform(session, delegate) }
        let file = try #require(delegate.files.all.first)
        for url in [file, file.deletingLastPathComponent()] {
            let isThere = FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
            #expect(!isThere, "\(url)")
        }
    }

    @Test("A delegate with only the required method counts as one without those that receive content or an outcome")
    func missing() {
        let (session, delegate) = (WCSession(), RequiredDelegate())
        let calls = SyntheticCall.all(.host) + SyntheticCall.all(.companion)
        var (implemented, missing): (Set<DelegateMethod>, Set<DelegateMethod>) = ([], [])
        for call in calls {
            let isImplemented = session.core.calling(call.method) { call.perform(session, delegate) }
            if isImplemented { implemented.insert(call.method) } else { missing.insert(call.method) }
        }
        #expect(
            implemented == [
                .reachabilityDidChange, .watchStateDidChange, .didBecomeInactive, .companionAppInstalledDidChange,
            ])
        #expect(
            missing == [
                .didReceiveMessage, .didReceiveMessageWithReply, .didReceiveMessageData,
                .didReceiveMessageDataWithReply, .didReceiveContext, .didReceiveUserInfo, .didReceiveFile, .didFinish,
                .didDeactivate,
            ])
    }
}
