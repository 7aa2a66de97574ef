import Dispatch
import Foundation
import WatchConnectivity

// A phone and a watch, by WATCHLINK_ROLE: the watch sends points, the phone adds them up. With the word “careless” the phone reads the total, waits
// for its store, and writes the total: points that come meanwhile are lost. At the end the watch asks for the total, and complains if it is wrong.

let isCareless = CommandLine.arguments.contains("careless")

/// The phone's store, which takes 40 ms.
actor Store {
    private var total = 0

    func add(_ points: Int, isCareless: Bool) async throws -> Int {
        guard isCareless else {
            total += points
            try await Task.sleep(for: .milliseconds(40))
            return total
        }
        let before = total
        try await Task.sleep(for: .milliseconds(40))
        total = before + points
        return total
    }
}

final class Phone: NSObject, WCSessionDelegate {
    private let store = Store()

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
    ) {}

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        guard let points = message["points"] as? Int else { return replyHandler([:]) }
        Task { replyHandler(["total": try await store.add(points, isCareless: isCareless)]) }
    }
}

final class Watch: NSObject, WCSessionDelegate {
    private var sent = 0

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
    ) {
        guard activationState == .activated else { return }
        // Pairs of quizzes, ten minutes apart, the second of each pair a moment after the first.
        for number in 0..<6 {
            let moment = Double(number / 2) * 600 + 60 + Double(number % 2) * 0.03
            DispatchQueue.main.asyncAfter(deadline: .now() + moment) { self.finish(number + 1) }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 2_000) { self.judge() }
    }

    private func finish(_ points: Int) {
        WCSession.default.sendMessage(["points": points]) { _ in
            DispatchQueue.main.async { self.sent += points }
        } errorHandler: { _ in
        }
    }

    private func judge() {
        WCSession.default.sendMessage(["points": 0]) { reply in
            DispatchQueue.main.async {
                let total = reply["total"] as? Int ?? -1
                if total < self.sent {
                    FileHandle.standardError.write(
                        Data("FINDING: the phone has \(total) of \(self.sent) points\n".utf8))
                }
            }
        } errorHandler: { _ in
        }
    }
}

let isPhone = ProcessInfo.processInfo.environment["WATCHLINK_ROLE"] == "host"
let delegate: WCSessionDelegate = isPhone ? Phone() : Watch()
WCSession.default.delegate = delegate
WCSession.default.activate()
RunLoop.main.run()
