public import Foundation

/// The domain of the session's errors.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let WCErrorDomain = "WCErrorDomain"

/// What a session can fail with. Numbers and names are Apple's.
public struct WCError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { WCErrorDomain }
    public static var errorDomain: String { WCErrorDomain }

    public enum Code: Int, _ErrorCodeProtocol, CaseIterable, Sendable {
        public typealias _ErrorType = WCError

        case genericError = 7001
        case sessionNotSupported = 7002
        case sessionMissingDelegate = 7003
        case sessionNotActivated = 7004
        case deviceNotPaired = 7005
        case watchAppNotInstalled = 7006
        case notReachable = 7007
        case invalidParameter = 7008
        case payloadTooLarge = 7009
        case payloadUnsupportedTypes = 7010
        case messageReplyFailed = 7011
        case messageReplyTimedOut = 7012
        case fileAccessDenied = 7013
        case deliveryFailed = 7014
        case insufficientSpace = 7015
        case sessionInactive = 7016
        case transferTimedOut = 7017
        case companionAppNotInstalled = 7018
        case watchOnlyApp = 7019
    }

    public static var genericError: Code { .genericError }
    public static var sessionNotSupported: Code { .sessionNotSupported }
    public static var sessionMissingDelegate: Code { .sessionMissingDelegate }
    public static var sessionNotActivated: Code { .sessionNotActivated }
    public static var deviceNotPaired: Code { .deviceNotPaired }
    public static var watchAppNotInstalled: Code { .watchAppNotInstalled }
    public static var notReachable: Code { .notReachable }
    public static var invalidParameter: Code { .invalidParameter }
    public static var payloadTooLarge: Code { .payloadTooLarge }
    public static var payloadUnsupportedTypes: Code { .payloadUnsupportedTypes }
    public static var messageReplyFailed: Code { .messageReplyFailed }
    public static var messageReplyTimedOut: Code { .messageReplyTimedOut }
    public static var fileAccessDenied: Code { .fileAccessDenied }
    public static var deliveryFailed: Code { .deliveryFailed }
    public static var insufficientSpace: Code { .insufficientSpace }
    public static var sessionInactive: Code { .sessionInactive }
    public static var transferTimedOut: Code { .transferTimedOut }
    public static var companionAppNotInstalled: Code { .companionAppNotInstalled }
    public static var watchOnlyApp: Code { .watchOnlyApp }

    /// What exactly went wrong, in words.
    var reason: String { _nsError.localizedFailureReason ?? localizedDescription }

    /// An error with its description, and what exactly went wrong if that is known.
    package init(_ code: Code, reason: String? = nil) {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: reason.map { "\(code.summary): \($0)" } ?? code.summary
        ]
        userInfo[NSLocalizedFailureReasonErrorKey] = reason
        self.init(_nsError: NSError(domain: WCErrorDomain, code: code.rawValue, userInfo: userInfo))
    }
}

extension WCError.Code {
    var summary: String {
        switch self {
        case .genericError: "The session met an unknown problem"
        case .sessionNotSupported: "This process is no device: configure one first"
        case .sessionMissingDelegate: "The session has no delegate"
        case .sessionNotActivated: "The session is not activated"
        case .deviceNotPaired: "No device is paired"
        case .watchAppNotInstalled: "The watch has no such app"
        case .notReachable: "The counterpart is not reachable"
        case .invalidParameter: "A parameter is not valid"
        case .payloadTooLarge: "The payload is too large"
        case .payloadUnsupportedTypes: "The payload holds a type that is no property-list type"
        case .messageReplyFailed: "The reply could not be delivered"
        case .messageReplyTimedOut: "The reply did not come in time"
        case .fileAccessDenied: "The file cannot be read"
        case .deliveryFailed: "The counterpart could not take the message"
        case .insufficientSpace: "The counterpart has no space left"
        case .sessionInactive: "The session is inactive"
        case .transferTimedOut: "The transfer took too long"
        case .companionAppNotInstalled: "The phone has no such app"
        case .watchOnlyApp: "The app exists on the watch only"
        }
    }
}
