import Foundation
import WatchConnectivity

/// A phone that keeps in files what its watch sends: lines, a goal, pictures.
@MainActor
final class JournalPhone: NSObject, WCSessionDelegate {
    static let shared = JournalPhone()

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    var lines: [String] { Self.text("lines").split(separator: "\n").map { String($0) } }
    var goal: String { Self.text("goal") }
    var picture: String { Self.text("picture") }

    private nonisolated static func text(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    }

    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
    ) {}

    nonisolated func sessionDidBecomeInactive(_ session: WCSession) {}

    nonisolated func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    /// A line may come twice, as its number says.
    nonisolated func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        guard let number = userInfo["number"] as? Int, let line = userInfo["line"] as? String else { return }
        let kept = FileManager.default.contents(atPath: "lines") ?? Data()
        let entry = "\(number) \(line)\n"
        guard !String(decoding: kept, as: UTF8.self).contains(entry) else { return }
        Self.write(kept + Data(entry.utf8), "lines")
    }

    nonisolated func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
        Self.write(Data((context["goal"] as? String ?? "").utf8), "goal")
    }

    /// The file is gone when this returns.
    nonisolated func session(_ session: WCSession, didReceive file: WCSessionFile) {
        Self.write(FileManager.default.contents(atPath: file.fileURL.path) ?? Data(), "picture")
    }

    nonisolated func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        replyHandler(["count": Self.text("lines").split(separator: "\n").count])
    }

    private nonisolated static func write(_ data: Data, _ file: String) {
        do {
            try data.write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            FileHandle.standardError.write(Data("FINDING: the phone cannot keep its \(file): \(error)\n".utf8))
        }
    }
}

/// Its watch.
@MainActor
final class JournalWatch: NSObject, WCSessionDelegate {
    static let shared = JournalWatch()
    private(set) var count: Int?
    private(set) var answers = 0
    private(set) var errors = 0

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func write(_ number: Int) { WCSession.default.transferUserInfo(["number": number, "line": "line"]) }

    func set(goal: String) throws { try WCSession.default.updateApplicationContext(["goal": goal]) }

    func send(picture: String) throws {
        let url = URL(fileURLWithPath: "drawing")
        try Data(picture.utf8).write(to: url)
        WCSession.default.transferFile(url, metadata: nil)
    }

    func ask() {
        WCSession.default.sendMessage(["ask": "count"]) { @Sendable reply in
            let count = reply["count"] as? Int
            Task { @MainActor in
                self.count = count
                self.answers += 1
            }
        } errorHandler: { @Sendable _ in
            Task { @MainActor in self.errors += 1 }
        }
    }

    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
    ) {}
}
