import Foundation
import WatchConnectivity

/// Observations as texts that are the same in every run: no times, no identifiers.
enum Wording {
    private static let names = [
        7001: "genericError", 7002: "sessionNotSupported", 7003: "sessionMissingDelegate", 7004: "sessionNotActivated",
        7005: "deviceNotPaired", 7006: "watchAppNotInstalled", 7007: "notReachable", 7008: "invalidParameter",
        7009: "payloadTooLarge", 7010: "payloadUnsupportedTypes", 7011: "messageReplyFailed",
        7012: "messageReplyTimedOut", 7013: "fileAccessDenied", 7014: "deliveryFailed", 7015: "insufficientSpace",
        7016: "sessionInactive", 7017: "transferTimedOut", 7018: "companionAppNotInstalled", 7019: "watchOnlyApp",
    ]

    /// An error's number and name; that of another domain with it.
    static func text(_ error: any Error) -> String {
        let error = error as NSError
        guard error.domain == WCErrorDomain else { return "\(error.domain) \(error.code)" }
        return "\(error.code)" + (names[error.code].map { " \($0)" } ?? "")
    }

    static func end(_ error: (any Error)?) -> String { error.map(text) ?? "no error" }

    static func text(_ state: WCSessionActivationState) -> String {
        switch state {
        case .notActivated: "notActivated"
        case .inactive: "inactive"
        case .activated: "activated"
        @unknown default: "state \(state.rawValue)"
        }
    }

    /// A value, or “nil”.
    static func value<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }

    /// A number of times.
    static func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }

    /// Numbers in the order in which they came.
    static func order(_ entries: [Entry]) -> String {
        entries.isEmpty ? "nothing" : entries.map { "\($0.number)" }.joined(separator: " ")
    }

    /// Compares a dictionary with what was sent.
    static func isSame(_ one: [String: Any]?, _ other: [String: Any]?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return NSDictionary(dictionary: one).isEqual(NSDictionary(dictionary: other))
    }
}
