import WatchConnectivity

/// The watch records memos, the phone transcribes them. The flaw: it reads the file in a task, when the delegate's method has returned.
enum FileAfterReturn: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        func session(_ session: WCSession, didReceive file: WCSessionFile) {
            let url = file.fileURL
            Task {
                await Server.ask(1...110)
                do {
                    print("transcribed \(try Data(contentsOf: url).count) bytes")
                } catch {
                    Finding.tell("a memo is gone before it was transcribed")
                }
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            for memo in 1...3 { Day.at(Double(memo) * 120) { self.record(memo) } }
        }

        private func record(_ memo: Int) {
            let url = Device.own.home.appending(path: "memo-\(memo).m4a")
            do {
                try Data(repeating: UInt8(memo), count: 4_000).write(to: url)
                session.transferFile(url, metadata: ["memo": memo])
            } catch {
                Finding.tell("cannot record: \(error)")
            }
        }
    }
}
