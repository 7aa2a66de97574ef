import WatchConnectivity

/// The session delegate of a client, spelled as for Apple's platforms.
final class SessionDelegator: NSObject, WCSessionDelegate {
    private func say(_ text: String) {
        print(text)
        fflush(stdout)
    }

    private func outcome(_ error: Error?) -> String {
        guard let error = error else { return "ok" }
        if case WCError.deviceNotPaired = error { return "not paired" }
        return "error \((error as? WCError)?.code.rawValue ?? (error as NSError).code)"
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
    ) {
        switch activationState {
        case .activated:
            say("did activate \(outcome(error))")
            DispatchQueue.main.async { performArguments() }
        case .inactive: say("did not activate: inactive")
        case .notActivated: say("did not activate: \(outcome(error))")
        @unknown default: say("did not activate: unknown")
        }
    }

    func sessionDidBecomeInactive(_ session: WCSession) { say("did become inactive") }

    func sessionDidDeactivate(_ session: WCSession) {
        say("did deactivate")
        session.activate()
    }

    func sessionWatchStateDidChange(_ session: WCSession) {
        say("watch state \(session.isPaired) \(session.isWatchAppInstalled) \(session.isComplicationEnabled)")
    }

    func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        say("companion app \(session.isCompanionAppInstalled)")
    }

    func sessionReachabilityDidChange(_ session: WCSession) { say("is reachable \(session.isReachable)") }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        say("got message \(message["n"] ?? "")")
    }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        say("got message \(message["n"] ?? "")")
        replyHandler(["n": message["n"] ?? 0])
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) { say("got data \(messageData.count)") }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    {
        say("got data \(messageData.count)")
        replyHandler(messageData)
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        say("got context \(applicationContext["n"] ?? "")")
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        say("got user info \(userInfo["n"] ?? "")")
        if userInfo["keep"] != nil { UserDefaults.standard.set(userInfo["n"], forKey: "kept") }
        // As unlucky as an app can be: it dies with the user info in its hands. Once: the file tells the next run.
        guard let mark = userInfo["die"] as? String, !FileManager.default.fileExists(atPath: mark) else { return }
        _ = FileManager.default.createFile(atPath: mark, contents: nil)
        kill(getpid(), SIGKILL)
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
        say("did finish user info \(userInfoTransfer.userInfo["n"] ?? "") \(outcome(error))")
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        let size = (try? file.fileURL.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? -1
        say("got file \(file.fileURL.lastPathComponent) \(size) \(file.metadata?["n"] ?? "")")
        try? FileManager.default.removeItem(at: file.fileURL)
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: Error?) {
        say("did finish file \(fileTransfer.file.fileURL.lastPathComponent) \(outcome(error))")
    }
}
