import WatchConnectivity

/// The watch remembers which books it has not delivered. The flaw: at its launch it sends all of them again, also those that the session still
/// has in its queue.
enum SentAgainAtLaunch: ClientPair {
    static func phone() -> any SessionApp { Phone() }
    static func watch() -> any SessionApp { Watch() }

    private final class Phone: NSObject, SessionApp {
        private let books = Document<[Int]>("books", [])

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            if let book = userInfo["book"] as? Int { books.change { $0.append(book) } }
        }
    }

    private final class Watch: NSObject, SessionApp {
        private let undelivered = Document<[Int]>("undelivered", [])

        override init() {
            super.init()
            for book in 1...40 { Day.at(Double(book) * 30) { self.finish(book) } }
            Day.atEnd {
                let books = Document<[Int]>("books", of: .phone, []).value
                if Set(books).count < books.count { Finding.tell("a book is on the list twice") }
            }
        }

        func activated() {
            for book in undelivered.value { session.transferUserInfo(["book": book]) }
        }

        private func finish(_ book: Int) {
            undelivered.change { $0.append(book) }
            session.transferUserInfo(["book": book])
        }

        func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
            guard error == nil, let book = userInfoTransfer.userInfo["book"] as? Int else { return }
            DispatchQueue.main.async { self.undelivered.change { $0.removeAll { $0 == book } } }
        }
    }
}
