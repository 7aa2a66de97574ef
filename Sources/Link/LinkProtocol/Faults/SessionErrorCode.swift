import Words

/// The errors of a session, by the names and numbers that applications know: those of `WCError.Code`, which stand above this module
/// and are held against these by a test.
public enum SessionErrorCode: Int, CaseIterable, Sendable {
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

    package var name: String { "\(self)" }

    /// - Parameter word: A name or a number.
    init(_ word: String, key: String) throws(WordError) {
        guard let code = Self.allCases.first(where: { $0.name == word || String($0.rawValue) == word }) else {
            let names = Self.allCases.map { "\($0.name) (\($0.rawValue))" }.joined(separator: ", ")
            throw .wrongValue(word, key: key, form: "one of \(names)")
        }
        self = code
    }
}
