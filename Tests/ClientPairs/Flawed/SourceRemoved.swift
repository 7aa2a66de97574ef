import WatchConnectivity

/// The watch exports its tracks. The flaw: it removes the exported file as soon as the transfer was begun.
enum SourceRemoved: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(_ session: WCSession, didReceive file: WCSessionFile) {
            print("track \(file.fileURL.lastPathComponent)")
        }
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            for track in 1...4 { Day.at(Double(track) * 100) { self.export(track) } }
        }

        private func export(_ track: Int) {
            let url = Device.own.home.appending(path: "tmp/track-\(track).gpx")
            do {
                try Data(repeating: 32, count: 30_000).write(to: url)
                session.transferFile(url, metadata: nil)
                try FileManager.default.removeItem(at: url)
            } catch {
                Finding.tell("cannot export: \(error)")
            }
        }

        func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: Error?) {
            if let error { Finding.tell("a track is lost: \(error.localizedDescription)") }
        }
    }
}
