import Foundation
import WatchConnectivity

extension Phone {
    private var session: WCSession { stage.session }

    func observeState() {
        ask("start", "open the app on the watch too, and leave both in the foreground, with the wrist up")
        _ = Patience.until(Patience.person) { session.isReachable }
        stage.observe("state.paired", "\(session.isPaired)")
        stage.observe("state.appInstalled", "\(session.isWatchAppInstalled)")
        stage.observe("state.directory", session.watchDirectoryURL == nil ? "nil" : "there")
        stage.observe("state.reachable", "\(session.isReachable)")
        stage.observe("state.nothingPending", "\(session.hasContentPending)")
        order("state", "")
    }

    // MARK: - Complications

    func tryComplication() {
        guard !session.isComplicationEnabled else {
            stage.memory.omit(
                ["complication.none", "complication.plain"], because: "the app's complication was on the face already")
            return tryBudget()
        }
        stage.observe("complication.none", "\(session.remainingComplicationUserInfoTransfers) remain")
        let plain = session.transferCurrentComplicationUserInfo(stage.content("complication"))
        stage.observe("complication.plain", stage.endText(of: plain))
        ask("complication", "if the watch's app has a complication, put it on the watch's face; else wait")
        tryBudget()
    }

    private func tryBudget() {
        guard Patience.until(Patience.quiet * 3, { session.isComplicationEnabled }) else {
            return stage.memory.omit(
                ["complication.budget", "complication.notified", "complication.used"],
                because: "the watch's face has no complication of the app")
        }
        let told = stage.journal.await(1, "watchState", "true", within: Patience.quiet)
        stage.observe("complication.notified", told.isEmpty ? "not called" : "called, and read true")
        let before = session.remainingComplicationUserInfoTransfers
        stage.observe("complication.budget", "\(before) remain")
        let urgent = session.transferCurrentComplicationUserInfo(stage.content("complication", 1))
        let isOne = urgent.isCurrentComplicationInfo
        let end = stage.endText(of: urgent)
        let used = before - session.remainingComplicationUserInfoTransfers
        stage.observe("complication.used", "\(used) taken, isCurrentComplicationInfo \(isOne), \(end)")
    }

    // MARK: - Deeds

    func tryAway() {
        order("send", Step.away.name, waits: false)
        ask("away", "put the watch out of reach: in flight mode, with Wi-Fi and Bluetooth off; leave its app open")
        Step.away.send(stage)
        waitForWatch()
        order("judge", Step.away.name)
        Step.away.judge(stage)
    }

    func tryWatchBackground() {
        let claims = ["background.watch", "background.message"]
        ask("watch-background", "press the watch's crown once, so that its face shows")
        guard Patience.until(Patience.person, { !session.isReachable }) else {
            return stage.memory.omit(claims, because: "the watch stayed reachable")
        }
        stage.observe("background.watch", "not reachable")
        stage.observe("background.message", stage.send(stage.content("background")).outcome().text())
        ask("watch-foreground", "open the app on the watch again")
        _ = Patience.until(Patience.person) { session.isReachable }
    }

    func tryPhoneBackground() {
        order("send", Step.wake.name, waits: false)
        ask("phone-background", "go to the phone's home screen, wait for a minute, and open this app again")
        waitForWatch()
        ask("phone-foreground", "leave both apps in the foreground")
    }

    func relaunchWatch() {
        ask("watch-stop", "end the watch's app: remove it from the list of running apps")
        guard Patience.until(Patience.person, { !session.isReachable }) else {
            return stage.memory.omit(
                ["relaunch.context", "relaunch.userInfos"], because: "the watch's app was not ended")
        }
        Step.relaunch.send(stage)
        ask("watch-start", "open the app on the watch again")
        order("judge", Step.relaunch.name)
    }

    private static let relaunchClaims = ["relaunch.sentContext", "relaunch.outstanding", "relaunch.didFinish"]

    func prepareRelaunch() {
        isPredecessor = true
        ask("away-again", "put the watch out of reach again")
        guard Patience.until(Patience.person, { !session.isReachable }) else {
            return stage.memory.omit(Self.relaunchClaims, because: "the watch was not put out of reach")
        }
        _ = stage.set(context: stage.content("phoneRelaunch", 7))
        for number in 1...3 { session.transferUserInfo(stage.content("phoneRelaunch", number)) }
        stage.memory.omit(Self.relaunchClaims, because: "the phone's app was not ended")
        ask("phone-restart", "end this app: remove it from the list of running apps; then open it again")
        Thread.sleep(forTimeInterval: Patience.person)
    }

    func judgeRelaunch() {
        let isOfThis: ([String: Any]) -> Bool = { $0["step"] as? String == "phoneRelaunch" }
        if !isPredecessor {
            let numbers = session.outstandingUserInfoTransfers.map(\.userInfo).filter(isOfThis).map {
                Wording.value($0["n"] as? Int)
            }
            stage.observe("relaunch.outstanding", numbers.isEmpty ? "none" : numbers.joined(separator: " "))
            stage.observe("relaunch.sentContext", "number \(Wording.value(session.applicationContext["n"] as? Int))")
        }
        ask("return-again", "bring the watch back into reach, with its app open")
        _ = Patience.until(Patience.person) { session.isReachable }
        guard !isPredecessor else { return }
        let ends = stage.journal.await(3, "didFinish", "phoneRelaunch", within: Patience.arrival)
        let errors = Set(ends.map { Wording.end($0.error) }).sorted().joined(separator: ", ")
        stage.observe("relaunch.didFinish", "\(Wording.order(ends)); \(errors.isEmpty ? "–" : errors)")
    }

    func tryURL() {
        guard let url = URL(string: "https://example.org/route.bin") else { return }
        stage.memory.risk("file.notAFile") {
            let transfer = session.transferFile(url, metadata: stage.content("url"))
            stage.observe("file.notAFile", stage.endText(of: transfer))
        }
    }
}
