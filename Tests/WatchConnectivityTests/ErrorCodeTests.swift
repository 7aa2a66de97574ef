import LinkProtocol
import Testing
import WatchConnectivity

@Suite("Error codes")
struct ErrorCodeTests {
    @Test("Faults can name exactly the errors that an application can catch, by name and by number")
    func same() {
        let named = SessionErrorCode.allCases.map { "\($0) \($0.rawValue)" }
        #expect(named == WCError.Code.allCases.map { "\($0) \($0.rawValue)" })
    }

    @Test("Each error that an application can catch by its name has the name's number")
    func names() {
        let named: [WCError.Code] = [
            WCError.genericError, WCError.sessionNotSupported, WCError.sessionMissingDelegate,
            WCError.sessionNotActivated, WCError.deviceNotPaired, WCError.watchAppNotInstalled, WCError.notReachable,
            WCError.invalidParameter, WCError.payloadTooLarge, WCError.payloadUnsupportedTypes,
            WCError.messageReplyFailed, WCError.messageReplyTimedOut, WCError.fileAccessDenied, WCError.deliveryFailed,
            WCError.insufficientSpace, WCError.sessionInactive, WCError.transferTimedOut,
            WCError.companionAppNotInstalled, WCError.watchOnlyApp,
        ]
        #expect(named.map(\.rawValue) == Array(7_001...7_019))
    }
}
