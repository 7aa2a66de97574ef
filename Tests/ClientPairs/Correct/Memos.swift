import WatchConnectivity

/// The watch records memos, the phone moves each away before the delegate's method returns; a memo stays on the watch until it has arrived.
enum Memos: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private static func url(_ memo: String, on device: Device) -> URL {
        device.home.appending(path: "memo-\(memo).m4a")
    }

    private static func exists(_ memo: String, on device: Device) -> Bool {
        FileManager.default.fileExists(atPath: url(memo, on: device).path(percentEncoded: false))
    }

    private final class Phone: NSObject, SessionApp {
        func session(_ session: WCSession, didReceive file: WCSessionFile) {
            // A memo that came before is the same.
            guard let memo = file.metadata?["memo"] as? String, !exists(memo, on: .phone) else { return }
            do {
                try FileManager.default.moveItem(at: file.fileURL, to: url(memo, on: .phone))
            } catch {
                Finding.tell("a memo cannot be moved: \(error)")
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let unsent = Document<[String]>("unsent", [])
        private let arrived = Document<[String]>("arrived", [])

        override init() {
            super.init()
            for number in 1...6 { Day.at(Double(number) * 90) { self.record(number) } }
            Day.atEnd {
                for memo in self.arrived.value where !exists(memo, on: .phone) { Finding.tell("a memo is lost") }
            }
        }

        func activated() {
            let outstanding = session.outstandingFileTransfers.compactMap { $0.file.metadata?["memo"] as? String }
            for memo in unsent.value where !outstanding.contains(memo) { send(memo) }
        }

        private func record(_ number: Int) {
            let memo = UUID().uuidString
            do {
                try Data(repeating: UInt8(number), count: 40_000).write(to: url(memo, on: .watch))
                unsent.change { $0.append(memo) }
                send(memo)
            } catch {
                Finding.tell("cannot record: \(error)")
            }
        }

        private func send(_ memo: String) {
            guard exists(memo, on: .watch) else { return }
            session.transferFile(url(memo, on: .watch), metadata: ["memo": memo])
        }

        func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: Error?) {
            guard let memo = fileTransfer.file.metadata?["memo"] as? String else { return }
            DispatchQueue.main.async { self.finish(memo, error) }
        }

        private func finish(_ memo: String, _ error: Error?) {
            guard unsent.value.contains(memo) else { return }
            guard error == nil else { return DispatchQueue.main.asyncAfter(deadline: .now() + 60) { self.send(memo) } }
            arrived.change { $0.append(memo) }
            unsent.change { $0.removeAll { $0 == memo } }
            do {
                try FileManager.default.removeItem(at: url(memo, on: .watch))
            } catch {
                print("a memo stays here: \(error.localizedDescription)")
            }
        }
    }
}
