import Foundation

extension Step {
    static let files = Step("file") { stage in
        let (session, bytes) = (stage.session, Step.bytes(5_000))
        let file = session.transferFile(
            stage.file("route.bin", bytes), metadata: stage.content("file", 1, ["title": "Route"]))
        stage.observe("file.didFinish", stage.endText(of: file))
        stage.observe("file.progress", "\(file.progress.fractionCompleted)")
        _ = session.transferFile(stage.file("moved.bin", bytes), metadata: stage.content("file.moved"))
        _ = session.transferFile(stage.file("empty.bin", Data()), metadata: stage.content("file.empty"))
        let plain = session.transferFile(stage.file("plain.bin", bytes), metadata: nil)
        _ = stage.end(of: plain)
        let missing = session.transferFile(
            stage.files.appendingPathComponent("missing.bin"), metadata: stage.content("file.missing"))
        stage.observe("file.missing", stage.endText(of: missing))
    } judge: { stage in
        func arrived(_ step: String) -> Entry? {
            stage.journal.await(1, "didReceiveFile", step, within: Patience.arrival).first
        }
        for claim in ["file", "file.plain", "file.empty"] {
            stage.observe(claim == "file" ? "file.arrives" : claim, arrived(claim)?.note ?? "not delivered")
        }
        if let path = arrived("file")?.content["path"] as? String {
            stage.observe("file.inbox", path.contains("/Documents/Inbox/") ? "there" : "elsewhere")
        }
        func state(_ step: String) -> String {
            guard let path = arrived(step)?.content["path"] as? String else { return "not delivered" }
            return FileManager.default.fileExists(atPath: path) ? "there" : "removed"
        }
        _ = arrived("file.moved")
        Thread.sleep(forTimeInterval: Patience.quiet)
        stage.observe("file.removed", state("file"))
        stage.observe("file.moved", state("file.moved"))
    }
}
