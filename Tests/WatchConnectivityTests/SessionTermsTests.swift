import EventLog
import Foundation
import LinkProtocol
import Testing

@testable import WatchConnectivity

@Suite("The session's terms for what the engine says")
struct SessionTermsTests {
    @Test("Each kind of content has its method")
    func methods() {
        let methods = TransferKind.allCases.map { DelegateMethod($0) }
        let expected: [DelegateMethod] = [
            .didReceiveMessage, .didReceiveMessageData, .didReceiveContext, .didReceiveUserInfo, .didReceiveUserInfo,
            .didReceiveFile,
        ]
        #expect(methods == expected)
    }

    @Test("Each error has the engine's code of the same number, and an unknown one is a failure without a reason")
    func codes() {
        let codes = WCError.Code.allCases.map { WCError($0).sessionCode.rawValue }
        #expect(codes == WCError.Code.allCases.map(\.rawValue))
        let unknown = WCError(_nsError: NSError(domain: WCErrorDomain, code: 1))
        #expect(unknown.sessionCode == .genericError)
    }

    @Test("A session without a device is not activated, and nothing waits for it")
    func withoutDevice() {
        let session = WCSession()
        #expect(session.activationState == .notActivated)
        #expect(session.obstacle == .notActivated)
        #expect(!session.hasContentPending)
    }

    @Test("A process that is no device logs nothing, and one with a broken configuration does")
    func logger() {
        #expect(SessionCore(nil).logger.service == "")
        #expect(SessionCore(nil, error: "the role is missing").logger.service == "session")
    }

    @Test("A device that connects again is listed once, as the latest")
    func connected() {
        let core = SessionCore(nil)
        let devices = ["a", "b"].map { Device(identifier: UUID(), role: .companion, name: $0) }
        for device in devices { core.connected(device) }
        #expect(core.connectedDevices == devices)
        core.connected(devices[0])
        #expect(core.connectedDevices == [devices[1], devices[0]])
        core.disconnected(devices[1])
        #expect(core.connectedDevices == [devices[0]])
    }
}
