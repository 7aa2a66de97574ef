import Foundation

/// The best score of a device, which the app shares with its widget. Only Foundation is imported, as on Apple's platforms.
final class Highscores: ObservableObject {
    static let shared = Highscores()
    static let group = "group.org.example.scores"

    @Published private(set) var best = 0
    private let defaults: UserDefaults
    private let file: URL?
    private let readers = NSPointerArray.weakObjects()
    private var observation: NSKeyValueObservation?
    private var cancellables: Set<AnyCancellable> = []

    private init() {
        defaults = UserDefaults(suiteName: Self.group) ?? .standard
        file = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.group)?
            .appendingPathComponent("best")
        $best.dropFirst().sink { [weak self] in self?.write($0) }.store(in: &cancellables)
    }

    /// Counts the launches of the app.
    func launch(_ state: LaunchState) {
        let token = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification, object: defaults, queue: nil
        ) { _ in state.changes += 1 }
        defaults.setValue(defaults.integer(forKey: "launches") + 1, forKey: "launches")
        NotificationCenter.default.removeObserver(token)
        state.launches = defaults.integer(forKey: "launches")
        readers.addPointer(Unmanaged.passUnretained(state).toOpaque())
        best = state.launches * 10
        let (all, stored) = (readers.allObjects.count, read())
        print(String(localized: "launch \(state.launches): \(state.changes) change, \(all) reader, best \(stored)"))
        ProcessInfo.processInfo.performExpiringActivity(withReason: "highscores") { isExpired in
            print(isExpired ? "no time" : String(localized: "time", defaultValue: "time", bundle: .main, comment: ""))
        }
    }

    /// Keeps an observation of the session.
    func keep(_ observation: NSKeyValueObservation, _ publisher: AnyPublisher<Bool, Never>) {
        self.observation = observation
        publisher.sink { print("published reachable: \($0)") }.store(in: &cancellables)
    }

    private func write(_ best: Int) {
        guard let file else { return }
        var error: NSError?
        NSFileCoordinator().coordinate(writingItemAt: file, options: .forReplacing, error: &error) { url in
            try? Data("\(best)".utf8).write(to: url)
        }
        if let error { print(error) }
    }

    private func read() -> String {
        guard let file else { return "nowhere" }
        var text = "unread"
        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: file, error: nil) { url in
            text = (try? String(contentsOf: url, encoding: .utf8)) ?? "missing"
        }
        return text
    }
}

/// A launch as views show it.
@Observable
final class LaunchState {
    var launches = 0
    var changes = 0
}
