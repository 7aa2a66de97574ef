import Testing

@testable import LinkProtocol

@Suite("Pending content")
struct PendingContentTests {
    @Test("What comes in the foreground is pending for nobody, however much of it waits")
    func foreground() {
        var content = PendingContent()
        content.received(3, isDeliverable: true)
        content.began()
        #expect(content.pendingCount == 0 && content.waitingCount == 2)
    }

    @Test("What came while it could not be given is pending until its own call begins; what comes later is not")
    func background() {
        var content = PendingContent()
        content.received(2, isDeliverable: false)
        content.received(1, isDeliverable: true)
        var counts = [content.pendingCount]
        for _ in 0..<3 {
            content.began()
            counts.append(content.pendingCount)
        }
        #expect(counts == [2, 1, 0, 0])
    }

    @Test("What was on its way when the app was suspended waits with what comes then")
    func suspended() {
        var content = PendingContent()
        content.received(2, isDeliverable: true)
        content.received(1, isDeliverable: false)
        #expect(content.pendingCount == 3)
    }

    @Test("More calls than content change nothing")
    func more() {
        var content = PendingContent()
        content.began()
        content.received(1, isDeliverable: false)
        content.began()
        content.began()
        #expect(content == PendingContent())
    }
}
