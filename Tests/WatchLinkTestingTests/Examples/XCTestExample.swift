import WatchLinkTesting
import XCTest

final class GoalTests: XCTestCase {
    private let phoneApp = RecordingDelegate()
    private let watchApp = RecordingDelegate()

    func testOnlyTheLatestGoalReachesTheWatch() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)

        pair.setLinkUp(false)
        try pair.phone.session.updateApplicationContext(["goal": 30])
        try pair.phone.session.updateApplicationContext(["goal": 40])
        pair.setLinkUp(true)

        let context = try await watchApp.next(.applicationContext)
        XCTAssertEqual(context["goal"] as? Int, 40)
        try await pair.expect(.applicationContext, from: .phone, .coalesced)
    }
}
