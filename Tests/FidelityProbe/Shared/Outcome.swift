import Foundation
import WatchConnectivity

/// How a message ended for its sender.
enum Outcome {
    case reply([String: Any])
    case data(Data)
    case failed(any Error)
    /// No handler was called for as long as the probe waits.
    case silence

    /// How an error can be caught.
    var type: String {
        guard case .failed(let error) = self else { return "no error" }
        guard let known = error as? WCError else { return "no WCError" }
        let code = known.code == .notReachable ? ".notReachable" : "another code"
        return "WCError, \(code), \((error as NSError).domain)"
    }

    /// The outcome as an observation.
    ///
    /// - Parameter sent: The content that the other app returns.
    func text(echo sent: [String: Any] = [:]) -> String {
        switch self {
        case .reply(let content): Wording.isSame(content, sent) ? "reply as sent" : "another reply"
        case .data(let data): "reply of \(data.count) bytes"
        case .failed(let error): Wording.text(error)
        case .silence: "no handler was called"
        }
    }
}
