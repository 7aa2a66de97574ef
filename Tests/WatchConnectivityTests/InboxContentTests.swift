import TestSupport
import Testing

@testable import DeviceShell

@Suite("What waits for the delegate")
struct InboxContentTests {
    private let changes = Collector<Bool>()

    private func makeContent() -> InboxContent { InboxContent { [changes] in changes.add($0) } }

    @Test("What can be delivered on arrival waits, but is never pending")
    func deliverable() {
        let content = makeContent()
        #expect(content.count == 0)
        #expect(!content.isPending)
        content.received(2, isDeliverable: true)
        #expect(content.count == 2)
        #expect(!content.isPending)
        content.began()
        #expect(!content.isPending)
        #expect(changes.all == [])
    }

    @Test("What cannot is pending until the delegate is called with the last of it; each change is told once")
    func pending() {
        let content = makeContent()
        content.received(1, isDeliverable: false)
        #expect(content.isPending)
        content.received(1, isDeliverable: false)
        #expect(changes.all == [true])
        content.began()
        #expect(content.isPending)
        #expect(changes.all == [true])
        content.began()
        #expect(!content.isPending)
        #expect(changes.all == [true, false])
        content.began()
        #expect(changes.all == [true, false])
        // The delegate's methods have not returned.
        #expect(content.count == 2)
    }

    @Test("All is settled when the delegate has received as much as arrived, and not before")
    func settled() {
        let content = makeContent()
        content.received(3, isDeliverable: true)
        let isFirst = content.settled(2)
        #expect(!isFirst)
        #expect(content.count == 1)
        let isLast = content.settled(1)
        #expect(isLast)
        #expect(content.count == 0)
        // More than is known to wait changes nothing.
        let isMore = content.settled(1)
        #expect(isMore)
        #expect(content.count == 0)
        content.received(1, isDeliverable: true)
        #expect(content.count == 1)
    }
}
