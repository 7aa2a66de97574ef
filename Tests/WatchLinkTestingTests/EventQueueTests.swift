import CassetteRecording
import DeviceShell
import Foundation
import LinkProtocol
import LinkTransport
import Testing

@Suite("The events that wait for a recorder")
struct EventQueueTests {
    private let queue = EventQueue()
    private let taps = [DeviceTap(), DeviceTap()]

    init() {
        for (side, tap) in taps.enumerated() { #expect(tap.open(queue, side: side)) }
    }

    private func take(goesOn: Bool = true) -> (events: [EventQueue.Entry], dropped: Int, isClosed: Bool) {
        var events: [EventQueue.Entry] = []
        let (dropped, isClosed) = queue.take(into: &events) { _ in goesOn }
        return (events, dropped, isClosed)
    }

    @Test("Events of several devices are taken in the order in which they were added, once")
    func order() {
        for (side, name) in [(0, "a"), (1, "b"), (1, "c"), (0, "d")] { taps[side].note(DeviceEvent(name, .call)) }
        let events = take().events
        #expect(events.map(\.event.name) == ["a", "b", "c", "d"])
        #expect(events.map(\.side) == [0, 1, 1, 0])
        #expect(take().events.isEmpty)
    }

    @Test("A full queue counts what it cannot take, until it is taken")
    func full() {
        for _ in 0..<EventQueue.most + 3 { taps[0].note(DeviceEvent("a", .call)) }
        let (events, dropped, _) = take()
        #expect(events.count == EventQueue.most)
        #expect(dropped == 3)
        taps[0].note(DeviceEvent("b", .call))
        #expect(take().dropped == 0)
    }

    @Test("Contents fill the queue as well, those of packages too")
    func bytes() {
        let package = MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .sent,
            dataPackage: Data(count: EventQueue.mostBytes / 2), timestamp: Date())
        for _ in 0..<3 { taps[0].note(DeviceEvent("a", .delivered, nil, .message(package))) }
        let (events, dropped, _) = take()
        #expect(events.count == 2)
        #expect(dropped == 1)
    }

    @Test("Contents fill the queue to the last byte and not beyond; events without contents find a place still")
    func lastByte() {
        func add(_ name: String, _ size: Int) {
            taps[0].note(DeviceEvent(name, .call, nil, .content(.bytes(Data(count: size)), wantsReply: false)))
        }
        for round in 1...2 {
            add("too large", EventQueue.mostBytes + 1)
            add("all", EventQueue.mostBytes)
            add("one byte", 1)
            taps[0].note(DeviceEvent("none", .call))
            let (events, dropped, _) = take()
            #expect(events.map(\.event.name) == ["all", "none"], "round \(round)")
            #expect(dropped == 2, "round \(round)")
        }
    }

    @Test("However many events find no place, the thread is hurried once until it has taken the others")
    func hurrying() {
        for round in 1...2 {
            for _ in 0..<EventQueue.most + 3 { taps[0].note(DeviceEvent("a", .call)) }
            // Returns at once: a signal that is missing shows as a wait of an hour.
            queue.collect(for: .seconds(3_600))
            // The second look waits to the end of its pause.
            let start = MonotonicTime.now
            queue.collect(for: .milliseconds(2))
            #expect(MonotonicTime.now - start >= .milliseconds(2), "round \(round)")
            #expect(take().dropped == 3, "round \(round)")
        }
    }

    @Test("The thread is woken by the first event, and again after it has gone to sleep", .timeLimit(.minutes(5)))
    func waking() {
        for goesOn in [false, false, true] {
            taps[0].note(DeviceEvent("a", .call))
            // Returns only after a signal.
            queue.wait()
            #expect(take(goesOn: goesOn).events.count == 1)
        }
        // The thread looks by itself: no signal is left that would make it look once too often.
        taps[0].note(DeviceEvent("a", .call))
        #expect(take(goesOn: false).events.count == 1)
        taps[0].note(DeviceEvent("a", .call))
        queue.wait()
    }

    @Test("A closed queue takes no more events, and the thread does not wait for any", .timeLimit(.minutes(5)))
    func closing() {
        taps[0].note(DeviceEvent("a", .call))
        queue.close()
        taps[0].note(DeviceEvent("b", .call))
        queue.wait()
        queue.collect(for: .seconds(3_600))
        let (events, dropped, isClosed) = take()
        #expect(events.map(\.event.name) == ["a"])
        #expect(dropped == 0)
        #expect(isClosed)
    }

    @Test("A tap that was closed adds nothing, and can be opened for the next recording")
    func reopening() {
        let next = EventQueue()
        #expect(!taps[0].open(next, side: 0))
        taps[0].close()
        taps[0].note(DeviceEvent("a", .call))
        #expect(taps[0].open(next, side: 5))
        taps[0].note(DeviceEvent("b", .call))
        #expect(take().events.isEmpty)
        var events: [EventQueue.Entry] = []
        _ = next.take(into: &events) { _ in true }
        #expect(events.map(\.event.name) == ["b"])
        #expect(events.map(\.side) == [5])
    }

    @Test("A package tells its parts only when it is asked: as a package with its words, as a message without")
    func packages() {
        let package = MessagePackage(
            identifier: UUID(), command: .sendMessage, status: .failed, dataPackage: Data([1, 2]), errorCode: 7,
            wantsReply: true, timestamp: Date())
        let (sent, given) = (DeviceEvent.Details.package(package), DeviceEvent.Details.message(package))
        #expect(sent.words == "SendMessage Failed" && given.words == nil)
        #expect(sent.error == 7 && given.error == nil)
        #expect(sent.wantsReply && given.wantsReply)
        for details in [sent, given] {
            guard case .propertyList(Data([1, 2])) = details.content else {
                Issue.record("The content is \(String(describing: details.content))")
                continue
            }
        }
        let empty = MessagePackage(identifier: UUID(), command: .sendMessageData, status: .sent, timestamp: Date())
        #expect(DeviceEvent.Details.package(empty).content == nil)
        guard case .bytes(Data()) = DeviceEvent.Details.message(empty).content else {
            Issue.record("The content is \(String(describing: DeviceEvent.Details.message(empty).content))")
            return
        }
    }
}
