import Foundation
import LinkProtocol
import Testing

@testable import WatchConnectivity

@Suite("The errors of messages")
struct MessageFailureTests {
    private static let codes: [(failure: MessageFailure, code: Int)] = [
        (.notReachable, 7007),
        (.connectionLost(reason: "no"), 7007),
        (.underWay, 7014),
        (.tooMany, 7014),
        (.queueFull, 7014),
        (.tooLong(ProtocolError(.frameTooLong, "no")), 7009),
        (.timedOut, 7012),
        (.answered(code: 7011, reason: nil), 7011),
        (.answered(code: 42, reason: nil), 7001),
        (.answered(code: nil, reason: nil), 7001),
    ]

    @Test("Each failure has its code; an answer has that of the counterpart if it is one of a session")
    func codes() {
        for (failure, code) in Self.codes {
            #expect(failure.code.rawValue == code, "\(failure)")
            let error = WCError(failure, times: LinkTimes())
            #expect(error.code.rawValue == code, "\(failure)")
        }
    }
}
