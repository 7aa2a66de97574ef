import Words

/// The errors of a session, with the names and numbers of `WCError.Code`. That type belongs to a higher module; a test
/// compares the two.
public enum SessionErrorCode: Int, CaseIterable, Sendable {
    /// An unspecified error.
    case genericError = 7001
    /// The device does not support sessions.
    case sessionNotSupported = 7002
    /// The session has no delegate.
    case sessionMissingDelegate = 7003
    /// The session is not activated.
    case sessionNotActivated = 7004
    /// No watch is paired.
    case deviceNotPaired = 7005
    /// The watch does not have the app.
    case watchAppNotInstalled = 7006
    /// The counterpart is not reachable.
    case notReachable = 7007
    /// A parameter is invalid.
    case invalidParameter = 7008
    /// The payload exceeds its limit.
    case payloadTooLarge = 7009
    /// The payload contains types other than those of a property list.
    case payloadUnsupportedTypes = 7010
    /// The counterpart could not reply.
    case messageReplyFailed = 7011
    /// No reply arrived in time.
    case messageReplyTimedOut = 7012
    /// The file is not accessible.
    case fileAccessDenied = 7013
    /// The content could not be delivered.
    case deliveryFailed = 7014
    /// A device has too little storage.
    case insufficientSpace = 7015
    /// The session is inactive.
    case sessionInactive = 7016
    /// The transfer timed out.
    case transferTimedOut = 7017
    /// The phone does not have the app.
    case companionAppNotInstalled = 7018
    /// The app exists only on the watch.
    case watchOnlyApp = 7019

    package var name: String { "\(self)" }

    /// Creates an error from command words.
    ///
    /// - Parameter word: A name or a number.
    init(_ word: String, key: String) throws(WordError) {
        guard let code = Self.allCases.first(where: { $0.name == word || String($0.rawValue) == word }) else {
            let names = Self.allCases.map { "\($0.name) (\($0.rawValue))" }.joined(separator: ", ")
            throw .wrongValue(word, key: key, form: "one of \(names)")
        }
        self = code
    }
}
