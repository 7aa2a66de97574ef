import Foundation
import WatchConnectivity

/// The watch's app of a meter: it tells its reading for as long as it runs, and that it was started again.
///
/// Unchecked: its state is used on the main queue only.
final class Meter: App, @unchecked Sendable {
    private var reading = 0
    private let pause: Double = 70

    override func activated() {
        // As one that is told something that it does not know.
        if change.has("mute") { return }
        if reading == 0 { tellStart() }
        reading += 1
        send(userInfo: ["reading": reading])
        DispatchQueue.main.asyncAfter(deadline: .now() + pause) { self.activated() }
    }

    private func tellStart() {
        let starts = UserDefaults.standard.integer(forKey: "starts")
        UserDefaults.standard.set(starts + 1, forKey: "starts")
        guard starts > 0 else {
            // What the first start draws by chance, later ones tell.
            return UserDefaults.standard.set("\(UInt32.random(in: 0...UInt32.max))", forKey: "name")
        }
        send(userInfo: ["again": starts, "name": UserDefaults.standard.string(forKey: "name") ?? ""])
    }
}
