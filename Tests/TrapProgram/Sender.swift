import WatchConnectivity

/// Sends, once, what the program's words name.
@MainActor
final class Sender {
    static let shared = Sender()

    private let screen = Screen()
    private let courier = Courier()
    private let fetcher = Fetcher()
    private var hasSent = false

    func send() async {
        guard !hasSent else { return }
        hasSent = true
        if words.contains("reply") { isRepaired ? screen.askAndHop() : screen.ask() }
        if words.contains("error") { isRepaired ? screen.complainAndHop() : screen.complain() }
        if words.contains("data") { isRepaired ? screen.askDataAndHop() : screen.askData() }
        if words.contains("observer") { isRepaired ? screen.countAndHop() : screen.count() }
        if words.contains("progress") { isRepaired ? screen.followAndHop() : screen.follow() }
        if words.contains("notification") { isRepaired ? screen.listenOnMain() : screen.listen() }
        if words.contains("actor") { isRepaired ? await courier.sendAndHop() : await courier.send() }
        if words.contains("never") { Task { await isRepaired ? fetcher.fetch() : fetcher.fetchForEver() } }
        if words.contains("twice") { Task { await isRepaired ? fetcher.fetch() : fetcher.fetchTwice() } }
        if words.contains("deadlock") { isRepaired ? screen.waitNot() : screen.wait() }
    }
}
