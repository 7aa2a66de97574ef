import Foundation
import LinkProtocol

/// A call of a delegate's method by `watchlink lint`, in place of the device, with content of its own.
struct SyntheticCall: Sendable {
    let method: DelegateMethod
    let perform: @Sendable (WCSession, any WCSessionDelegate) -> Void

    private init(
        _ method: DelegateMethod, _ perform: @escaping @Sendable (WCSession, any WCSessionDelegate) -> Void
    ) {
        self.method = method
        self.perform = perform
    }

    private static var content: [String: Any] { ["watchlink": "lint"] }
    private static let data = Data("watchlink lint".utf8)

    /// Returns a call of each method that a device of this role calls; switches of the watch come last.
    static func all(_ role: DeviceRole) -> [SyntheticCall] {
        common + (role == .host ? ofPhones : ofWatches)
    }

    private static let common = [
        SyntheticCall(.reachabilityDidChange) { $1.sessionReachabilityDidChange($0) },
        SyntheticCall(.didReceiveMessage) { $1.session($0, didReceiveMessage: content) },
        SyntheticCall(.didReceiveMessageWithReply) {
            $1.session($0, didReceiveMessage: content) { _ in LintRun.ofProcess?.noteActivity() }
        },
        SyntheticCall(.didReceiveMessageData) { $1.session($0, didReceiveMessageData: data) },
        SyntheticCall(.didReceiveMessageDataWithReply) {
            $1.session($0, didReceiveMessageData: data) { _ in LintRun.ofProcess?.noteActivity() }
        },
        SyntheticCall(.didReceiveContext) { $1.session($0, didReceiveApplicationContext: content) },
        SyntheticCall(.didReceiveUserInfo) { $1.session($0, didReceiveUserInfo: content) },
        SyntheticCall(.didReceiveFile, giveFile),
        SyntheticCall(.didFinish) { $1.session($0, didFinish: WCSessionUserInfoTransfer(), error: nil) },
        SyntheticCall(.didFinish) { $1.session($0, didFinish: WCSessionUserInfoTransfer(), error: failure) },
        SyntheticCall(.didFinish) { $1.session($0, didFinish: WCSessionFileTransfer(), error: nil) },
        SyntheticCall(.didFinish) { $1.session($0, didFinish: WCSessionFileTransfer(), error: failure) },
    ]

    private static let ofPhones = [
        SyntheticCall(.watchStateDidChange) { $1.sessionWatchStateDidChange($0) },
        SyntheticCall(.didBecomeInactive) { $1.sessionDidBecomeInactive($0) },
        SyntheticCall(.didDeactivate) { $1.sessionDidDeactivate($0) },
    ]

    private static let ofWatches = [
        SyntheticCall(.companionAppInstalledDidChange) { $1.sessionCompanionAppInstalledDidChange($0) }
    ]

    private static var failure: WCError { WCError(.transferTimedOut, reason: "a trial by watchlink lint") }

    /// Passes a real file, which is removed afterwards as on a device.
    @Sendable private static func giveFile(_ session: WCSession, _ delegate: any WCSessionDelegate) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let file = folder.appending(path: "watchlink-lint.txt")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: file)
            delegate.session(session, didReceive: WCSessionFile(fileURL: file, metadata: content))
            try FileManager.default.removeItem(at: folder)
        } catch {
            LintRun.ofProcess?.tell(LintReport(.hint, detail: "no file could be passed to the delegate: \(error)"))
        }
    }
}
