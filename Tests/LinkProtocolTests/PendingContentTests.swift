import Testing

@testable import LinkProtocol

@Suite("Pending content")
struct PendingContentTests {
    @Test("Content that arrives in the foreground is not pending, however much of it waits")
    func foreground() {
        var content = PendingContent()
        content.received(3, isDeliverable: true)
        content.began()
        #expect(content.pendingCount == 0)
        #expect(content.waitingCount == 2)
    }

    @Test("Content that arrived before it could be delivered is pending until its call begins; later content is not")
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

    @Test("Content in flight when the app was suspended waits with the content that arrives then")
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
