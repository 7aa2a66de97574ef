public import Foundation

/// The domain of the session's errors.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let WCErrorDomain = "WCErrorDomain"

/// The errors of a session. Codes and names are Apple's.
public struct WCError: _BridgedStoredNSError {
    /// The underlying error.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of ``WCErrorDomain``.
    public init(_nsError error: NSError) { _nsError = error }

    /// The domain of the session's errors, for bridging.
    public static var _nsErrorDomain: String { WCErrorDomain }
    /// The domain of the session's errors.
    public static var errorDomain: String { WCErrorDomain }

    /// The codes of the session's errors, with Apple's numbers.
    public enum Code: Int, _ErrorCodeProtocol, CaseIterable, Sendable {
        /// The error type of these codes.
        public typealias _ErrorType = WCError

        /// An unknown failure.
        case genericError = 7001
        /// The process is not configured as a device.
        case sessionNotSupported = 7002
        /// The session has no delegate.
        case sessionMissingDelegate = 7003
        /// The session is not activated.
        case sessionNotActivated = 7004
        /// No device is paired.
        case deviceNotPaired = 7005
        /// The app is not installed on the watch.
        case watchAppNotInstalled = 7006
        /// The counterpart is not reachable.
        case notReachable = 7007
        /// A parameter is invalid.
        case invalidParameter = 7008
        /// The payload exceeds its limit.
        case payloadTooLarge = 7009
        /// The payload contains a value that is not a property-list type.
        case payloadUnsupportedTypes = 7010
        /// The reply could not be delivered.
        case messageReplyFailed = 7011
        /// The reply did not arrive in time.
        case messageReplyTimedOut = 7012
        /// The file cannot be read.
        case fileAccessDenied = 7013
        /// The content could not be delivered.
        case deliveryFailed = 7014
        /// There is no space left.
        case insufficientSpace = 7015
        /// The session is inactive.
        case sessionInactive = 7016
        /// The transfer timed out.
        case transferTimedOut = 7017
        /// The app is not installed on the phone.
        case companionAppNotInstalled = 7018
        /// The app exists on the watch only.
        case watchOnlyApp = 7019
    }

    /// The code ``Code/genericError``.
    public static var genericError: Code { .genericError }
    /// The code ``Code/sessionNotSupported``.
    public static var sessionNotSupported: Code { .sessionNotSupported }
    /// The code ``Code/sessionMissingDelegate``.
    public static var sessionMissingDelegate: Code { .sessionMissingDelegate }
    /// The code ``Code/sessionNotActivated``.
    public static var sessionNotActivated: Code { .sessionNotActivated }
    /// The code ``Code/deviceNotPaired``.
    public static var deviceNotPaired: Code { .deviceNotPaired }
    /// The code ``Code/watchAppNotInstalled``.
    public static var watchAppNotInstalled: Code { .watchAppNotInstalled }
    /// The code ``Code/notReachable``.
    public static var notReachable: Code { .notReachable }
    /// The code ``Code/invalidParameter``.
    public static var invalidParameter: Code { .invalidParameter }
    /// The code ``Code/payloadTooLarge``.
    public static var payloadTooLarge: Code { .payloadTooLarge }
    /// The code ``Code/payloadUnsupportedTypes``.
    public static var payloadUnsupportedTypes: Code { .payloadUnsupportedTypes }
    /// The code ``Code/messageReplyFailed``.
    public static var messageReplyFailed: Code { .messageReplyFailed }
    /// The code ``Code/messageReplyTimedOut``.
    public static var messageReplyTimedOut: Code { .messageReplyTimedOut }
    /// The code ``Code/fileAccessDenied``.
    public static var fileAccessDenied: Code { .fileAccessDenied }
    /// The code ``Code/deliveryFailed``.
    public static var deliveryFailed: Code { .deliveryFailed }
    /// The code ``Code/insufficientSpace``.
    public static var insufficientSpace: Code { .insufficientSpace }
    /// The code ``Code/sessionInactive``.
    public static var sessionInactive: Code { .sessionInactive }
    /// The code ``Code/transferTimedOut``.
    public static var transferTimedOut: Code { .transferTimedOut }
    /// The code ``Code/companionAppNotInstalled``.
    public static var companionAppNotInstalled: Code { .companionAppNotInstalled }
    /// The code ``Code/watchOnlyApp``.
    public static var watchOnlyApp: Code { .watchOnlyApp }

    /// The specific reason, or else the description.
    var reason: String { _nsError.localizedFailureReason ?? localizedDescription }

    /// Creates an error with its description, and the specific reason if it is known.
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
        case .genericError: "The operation failed"
        case .sessionNotSupported: "This process is not configured as a device"
        case .sessionMissingDelegate: "The session has no delegate"
        case .sessionNotActivated: "The session is not activated"
        case .deviceNotPaired: "No device is paired"
        case .watchAppNotInstalled: "The app is not installed on the watch"
        case .notReachable: "The counterpart is not reachable"
        case .invalidParameter: "A parameter is not valid"
        case .payloadTooLarge: "The payload is too large"
        case .payloadUnsupportedTypes: "The payload contains a value that is not a property-list type"
        case .messageReplyFailed: "The reply could not be delivered"
        case .messageReplyTimedOut: "The reply did not arrive in time"
        case .fileAccessDenied: "The file cannot be read"
        case .deliveryFailed: "The content could not be delivered"
        case .insufficientSpace: "The counterpart has no space left"
        case .sessionInactive: "The session is inactive"
        case .transferTimedOut: "The transfer timed out"
        case .companionAppNotInstalled: "The app is not installed on the phone"
        case .watchOnlyApp: "The app exists on the watch only"
        }
    }
}
