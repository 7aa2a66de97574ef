import WatchConnectivity

/// The watch sends a photo, and then a user info that says what to do with it. The flaw: the phone takes it for granted that the photo is there.
enum InfoBeforeFile: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private func photo(_ number: Int) -> URL { Device.own.home.appending(path: "photo-\(number).jpg") }

        func session(_ session: WCSession, didReceive file: WCSessionFile) {
            guard let number = file.metadata?["photo"] as? Int else { return }
            do {
                try FileManager.default.moveItem(at: file.fileURL, to: photo(number))
            } catch {
                print("photo \(number) was there: \(error.localizedDescription)")
            }
        }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let number = userInfo["publish"] as? Int else { return }
            if !FileManager.default.fileExists(atPath: photo(number).path(percentEncoded: false)) {
                Finding.tell("photo \(number) is published before it is there")
            }
        }
    }

    private final class Watch: NSObject, SessionApp {
        override init() {
            super.init()
            for number in 1...5 { Day.at(Double(number) * 100) { self.publish(number) } }
        }

        private func publish(_ number: Int) {
            let url = Device.own.home.appending(path: "taken-\(number).jpg")
            do {
                try Data(repeating: UInt8(number), count: 200_000).write(to: url)
                session.transferFile(url, metadata: ["photo": number])
                session.transferUserInfo(["publish": number])
            } catch {
                Finding.tell("cannot take a photo: \(error)")
            }
        }
    }
}
