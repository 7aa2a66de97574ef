import Testing
import WatchConnectivity

@Suite("A session without a device")
struct SessionWithoutDeviceTests {
    @Test("Answers that are to be written together are given at once")
    func batch() {
        var runs = 0
        WCSession().answerBatched { runs += 1 }
        #expect(runs == 1)
    }
}
