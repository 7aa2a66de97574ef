import WatchConnectivity

/// An app's model for its views, on the main actor.
@MainActor
final class Screen {
    private static let posted = Notification.Name("answered")

    private var answers = 0
    private var title = "" {
        didSet { answers += 1 }
    }
    private var observers: [Any] = []

    // MARK: - As one writes it at first: the closures belong to the main actor, and are called elsewhere

    func ask() {
        WCSession.default.sendMessage(["n": 1]) { _ in
            self.answers += 1
        } errorHandler: { @Sendable _ in
        }
    }

    func complain() {
        WCSession.default.sendMessage(["n": 2], replyHandler: nil) { _ in
            self.answers -= 1
        }
    }

    func askData() {
        WCSession.default.sendMessageData(Data([1])) { _ in
            self.answers += 1
        } errorHandler: { @Sendable _ in
        }
    }

    func count() {
        WCSession.default.sendMessage(["n": 3]) { [weak self] _ in
            self?.title = "answered"
        } errorHandler: { @Sendable _ in
        }
    }

    func follow() {
        let transfer = WCSession.default.transferFile(URL(filePath: "/proc/self/exe"), metadata: nil)
        observers.append(
            transfer.progress.observe(\.fractionCompleted) { _, _ in
                self.answers += 1
            })
    }

    func listen() {
        observers.append(
            NotificationCenter.default.addObserver(forName: Self.posted, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { self.answers += 1 }
            })
        post()
    }

    /// The main queue waits for an answer, whose handler waits for the main queue.
    func wait() {
        let isDone = DispatchSemaphore(value: 0)
        WCSession.default.sendMessage(["n": 4]) { @Sendable _ in
            DispatchQueue.main.sync { isDone.signal() }
        } errorHandler: { @Sendable _ in
            isDone.signal()
        }
        isDone.wait()
    }

    // MARK: - Repaired: the closures belong to nobody, and hop

    func askAndHop() {
        WCSession.default.sendMessage(["n": 1]) { @Sendable _ in
            Task { @MainActor in self.answers += 1 }
        } errorHandler: { @Sendable _ in
        }
    }

    func complainAndHop() {
        WCSession.default.sendMessage(["n": 2], replyHandler: nil) { @Sendable _ in
            Task { @MainActor in self.answers -= 1 }
        }
    }

    func askDataAndHop() {
        WCSession.default.sendMessageData(Data([1])) { @Sendable _ in
            Task { @MainActor in self.answers += 1 }
        } errorHandler: { @Sendable _ in
        }
    }

    func countAndHop() {
        WCSession.default.sendMessage(["n": 3]) { @Sendable [weak self] _ in
            Task { @MainActor in self?.title = "answered" }
        } errorHandler: { @Sendable _ in
        }
    }

    func followAndHop() {
        let transfer = WCSession.default.transferFile(URL(filePath: "/proc/self/exe"), metadata: nil)
        observers.append(
            transfer.progress.observe(\.fractionCompleted) { @Sendable _, _ in
                Task { @MainActor in self.answers += 1 }
            })
    }

    func listenOnMain() {
        observers.append(
            NotificationCenter.default.addObserver(forName: Self.posted, object: nil, queue: .main) { _ in
                MainActor.assumeIsolated { self.answers += 1 }
            })
        post()
    }

    func waitNot() {
        WCSession.default.sendMessage(["n": 4]) { @Sendable _ in
            DispatchQueue.main.sync { MainActor.assumeIsolated { self.answers += 1 } }
        } errorHandler: { @Sendable _ in
        }
    }

    /// Posts a notification where the session calls.
    private nonisolated func post() {
        WCSession.default.sendMessage(["n": 5]) { _ in
            NotificationCenter.default.post(name: Notification.Name("answered"), object: nil)
        } errorHandler: { _ in
        }
    }
}
