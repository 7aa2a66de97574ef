import Foundation
import WatchConnectivity

extension Step {
    private static let infos = 5
    private static let reason = "the other device was not put out of reach"
    private static var claims: [String] { Claims.all.map(\.id).filter { $0.hasPrefix("away.") } }

    /// Both apps send while the other is out of reach, and judge what arrives when it is back.
    static let away = Step("away") { stage in
        let session = stage.session
        guard Patience.until(Patience.person, { !session.isReachable }) else {
            stage.memory.omit(claims, because: reason)
            // The other app must not take for lost what was never sent.
            _ = stage.send(stage.content("away.skipped")).outcome()
            return
        }
        stage.observe("away.reachable", "false")
        let observed = stage.journal.await(1, "observer", "false", within: Patience.quiet)
        stage.observe("away.observed", observed.isEmpty ? "not called" : "called, and read false")
        let told = stage.journal.await(1, "reachability", "false", within: Patience.quiet)
        stage.observe("away.notified", told.isEmpty ? "not called" : "called, and read false")
        let outcome = stage.send(stage.content("away")).outcome()
        stage.observe("away.message", outcome.text())
        stage.observe("away.errorType", outcome.type)
        stage.observe("away.data", stage.send(Data([1])).outcome().text())
        for number in 1...3 { _ = stage.set(context: stage.content("away", number)) }
        sendUserInfos(stage)
        sendFiles(stage)
    } judge: { stage in
        guard stage.journal.all("didReceiveMessageWithReply", "away.skipped").isEmpty else {
            return stage.memory.omit(claims, because: reason)
        }
        let entries = stage.journal.await(infos - 1, "didReceiveUserInfo", "away", within: Patience.arrival)
        let cancelled = entries.contains { $0.number == 3 }
        stage.observe("away.userInfos", Wording.order(entries.filter { $0.number != 3 }))
        stage.observe("away.notDelivered", cancelled ? "delivered" : "not delivered")
        _ = Patience.until(Patience.arrival) { stage.journal.all("didReceiveContext", "away").last?.number == 3 }
        stage.observe("away.context", Wording.order(stage.journal.all("didReceiveContext", "away")))
        let files = stage.journal.await(1, "didReceiveFile", "away", within: Patience.arrival)
        stage.observe("away.file", Wording.order(files))
    }

    private static func sendUserInfos(_ stage: Stage) {
        let session = stage.session
        let sent = (1...infos).map { session.transferUserInfo(stage.content("away", $0)) }
        let outstanding = session.outstandingUserInfoTransfers.filter { $0.userInfo["step"] as? String == "away" }
        let numbers = outstanding.map { Wording.value($0.userInfo["n"] as? Int) }.joined(separator: " ")
        let areSame = outstanding.count == sent.count && zip(outstanding, sent).allSatisfy { $0 === $1 }
        stage.observe("away.outstanding", "\(numbers); \(areSame ? "the same objects" : "other objects")")
        stage.observe("away.transferring", "\(sent.count { $0.isTransferring }) of \(sent.count)")
        sent[2].cancel()
        let end = stage.end(of: sent[2], within: Patience.quiet)
        let isThere = session.outstandingUserInfoTransfers.contains(sent[2])
        stage.observe("away.cancel", "outstanding \(isThere), didFinish \(end == nil ? "not called" : "called")")
    }

    private static func sendFiles(_ stage: Stage) {
        let session = stage.session
        let data = Step.bytes(1_000)
        func transfer(_ number: Int) -> WCSessionFileTransfer {
            session.transferFile(stage.file("away\(number).bin", data), metadata: stage.content("away", number))
        }
        _ = transfer(1)
        let cancelled = transfer(2)
        cancelled.cancel()
        let end = stage.end(of: cancelled, within: Patience.quiet)
        let isThere = session.outstandingFileTransfers.contains(cancelled)
        stage.observe("away.fileCancel", "outstanding \(isThere), didFinish \(end == nil ? "not called" : "called")")
        let progressing = transfer(5)
        progressing.progress.cancel()
        let areLeft = Patience.until(Patience.quiet) { !session.outstandingFileTransfers.contains(progressing) }
        stage.observe("away.progressCancel", areLeft ? "no longer outstanding" : "outstanding")
        let (removed, changed) = (transfer(3), transfer(4))
        do { try FileManager.default.removeItem(at: removed.file.fileURL) } catch { stage.say("not removed: \(error)") }
        _ = stage.file("away4.bin", Step.bytes(2_000))
        stage.say("DO return: when both apps ask for it, bring the watch back into reach, with its app open")
        guard Patience.until(Patience.person, { session.isReachable }) else {
            return stage.memory.omit(
                ["away.sourceRemoved", "away.sourceChanged"], because: "the other device did not come back")
        }
        stage.observe("away.sourceRemoved", stage.endText(of: removed))
        stage.observe("away.sourceChanged", stage.endText(of: changed))
    }
}
