import Foundation
import KeyedArchive
import WatchConnectivity

/// A watch's app that records runs: it sends archives, JSON and files.
///
/// Unchecked: its state is used on the main queue only.
final class Runner: App, @unchecked Sendable {
    override func activated() {
        for number in 1...2 {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(number) * 300) { self.finish(number) }
        }
    }

    private func finish(_ number: Int) {
        if !change.has("no-archive") { sendRun(number) }
        let json = change.has("json-key") ? "{\"pace\":5.5,\"hearts\":[120,130]}" : "{\"pace\":5.5,\"heart\":[120,130]}"
        let more = change.has("json-add") ? json.dropLast() + ",\"zone\":2}" : Substring(json)
        let info: [String: Any] = [
            "run": change.has("json-text") ? String(more) : Data(more.utf8), "number": number, "unit": "km",
        ]
        if change.has("file-first") {
            sendRoute(number)
            return send(userInfo: info)
        }
        if change.has("info-as-message") {
            send(message: info) { _ in }
        } else {
            send(userInfo: info)
        }
        sendRoute(number)
    }

    private func sendRun(_ number: Int) {
        let run = Run(number: number, isSwapped: change.has("archive-order"))
        run.omitsName = change.has("archive-drop")
        run.hasMore = change.has("archive-add")
        run.hasTextNumber = change.has("archive-type")
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName(change.has("class") ? "Workout" : "Run", for: Run.self)
        archiver.encode(run, forKey: "root")
        archiver.finishEncoding()
        send(data: change.has("data-raw") ? Data("run \(number)".utf8) : archiver.encodedData)
        if change.has("twice", "sendMessageData") { send(data: archiver.encodedData) }
    }

    private func sendRoute(_ number: Int) {
        if change.has("no-file") { return }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("route-\(number)")
        do {
            try Data(count: change.has("big-file") ? 5_000 : 1_000).write(to: file)
        } catch {
            FileHandle.standardError.write(Data("FINDING: no file: \(error)\n".utf8))
        }
        let metadata: [String: Any] = ["name": "route", "points": 12, "id": UUID().uuidString, "saved": Date()]
        session.transferFile(file, metadata: change.applied("transferFile", metadata))
        if change.has("twice", "transferFile") { session.transferFile(file, metadata: metadata) }
    }

    override func received(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        answer(["goal": message["goal"] ?? 0, "plan": message["plan"] ?? "", "accepted": true], reply)
    }
}
