import Foundation
import WatchConnectivity

/// The watch's app for the library: it asks for books and tells what was read.
///
/// Unchecked: its state is used on the main queue only.
final class Reader: App, @unchecked Sendable {
    /// The books that it asks for, one each minute: three, or the number after `--asks`.
    private static let asks: Int = {
        let arguments = CommandLine.arguments
        let place = arguments.firstIndex(of: "--asks").map { $0 + 1 } ?? arguments.endIndex
        return arguments.indices.contains(place) ? max(1, Int(arguments[place]) ?? 3) : 3
    }()

    override func activated() {
        for number in 1...Self.asks {
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(number) * 60) { self.ask(number) }
            DispatchQueue.main.asyncAfter(deadline: .now() + Double(number) * 120 + 30) {
                self.send(userInfo: ["page": number * 10, "book": "Emma"])
            }
        }
    }

    private func ask(_ number: Int) {
        let identifier = UUID().uuidString
        send(message: ["id": identifier, "question": "book", "shelf": number]) { reply in
            guard reply["id"] as? String == identifier else { return }
            self.send(userInfo: ["took": reply["loan"] ?? "", "shelf": number])
        }
    }

    override func received(_ message: [String: Any], _ reply: @escaping ([String: Any]) -> Void) {
        answer(["seen": message["remind"] ?? 0, "battery": 80], reply)
    }
}
