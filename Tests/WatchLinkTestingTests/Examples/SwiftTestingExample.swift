import Testing
import WatchLinkTesting

@Suite struct ScoreTests {
    private let phoneApp = RecordingDelegate { message in ["total": message["score"] ?? 0] }
    private let watchApp = RecordingDelegate()

    @Test func aScoreArrivesWhenThePhoneIsBackInRange() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)

        pair.setLinkUp(false)
        pair.watch.session.transferUserInfo(["score": 3])
        pair.setLinkUp(true)

        let info = try await phoneApp.next(.userInfo)
        #expect(info["score"] as? Int == 3)
        try await pair.expect(.userInfo, from: .watch, .delivered)
    }

    @Test func aLostReplyIsATimeOut() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.phone.simulator.inject(FaultRule(.drop, .reply))

        pair.watch.session.sendMessage(["score": 3], replyHandler: { _ in }, errorHandler: { _ in })

        let message = try await phoneApp.next(.message)
        #expect(message.expectsReply)
        try await pair.expect(.message, from: .watch, .failed)
        try await pair.expect(.reply, from: .phone, .delivered, times: 0)
    }
}
