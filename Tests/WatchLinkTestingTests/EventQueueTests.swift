import CassetteRecording
import Foundation
import LinkProtocol
import LinkTransport
import Testing

@testable import DeviceShell

@Suite("The events that wait for a recorder")
struct EventQueueTests {
    /// The nanoseconds of a short period. 2 ms: a test waits for at most one.
    private static let period: Int64 = 2_000_000

    private let queue = EventQueue()
    private let taps = [DeviceTap(), DeviceTap()]

    init() {
        for (side, tap) in taps.enumerated() { #expect(tap.open(queue, side: side)) }
    }

    private func take(goesOn: Bool = true) -> (events: [NotedEvent], dropped: Int, isClosed: Bool) {
        let batch = EventBatch()
        let (dropped, isClosed) = queue.take(into: batch) { _ in goesOn }
        return (batch.events, dropped, isClosed)
    }

    @Test("Events of several devices are taken in the order in which they were added, once")
    func order() {
        for (side, name) in [(0, "a"), (1, "b"), (1, "c"), (0, "d")] as [(Int, StaticString)] {
            taps[side].note(DeviceEvent(name, .call))
        }
        let events = take().events
        #expect(events.map(\.name) == ["a", "b", "c", "d"])
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
        for _ in 0..<3 { taps[0].note(package, isWritten: false, with: nil, at: .now) }
        let (events, dropped, _) = take()
        #expect(events.count == 2)
        #expect(dropped == 1)
    }

    @Test("Contents fill the queue to the last byte and not beyond; events without contents find a place still")
    func lastByte() {
        func add(_ name: StaticString, _ size: Int) {
            taps[0].note(DeviceEvent(name, .call, nil, .content(.bytes(Data(count: size)), wantsReply: false)))
        }
        for round in 1...2 {
            add("too large", EventQueue.mostBytes + 1)
            add("all", EventQueue.mostBytes)
            add("one byte", 1)
            taps[0].note(DeviceEvent("none", .call))
            let (events, dropped, _) = take()
            #expect(events.map(\.name) == ["all", "none"], "round \(round)")
            #expect(dropped == 2, "round \(round)")
        }
    }

    @Test("However many events find no place, the thread is hurried once until it has taken the others")
    func hurrying() {
        for round in 1...2 {
            for _ in 0..<EventQueue.most + 3 { taps[0].note(DeviceEvent("a", .call)) }
            // Returns at once: a signal that is missing shows as a wait of an hour.
            queue.collect(every: .seconds(3_600))
            // The second look waits for the next multiple of its period.
            let start = MonotonicTime.now.nanoseconds / Self.period
            queue.collect(every: .nanoseconds(Self.period))
            let end = MonotonicTime.now.nanoseconds / Self.period
            #expect(end > start, "round \(round): the period that began before the look goes on")
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
        queue.collect(every: .seconds(3_600))
        let (events, dropped, isClosed) = take()
        #expect(events.map(\.name) == ["a"])
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
        let batch = EventBatch()
        _ = next.take(into: batch) { _ in true }
        let events = batch.events
        #expect(events.map(\.name) == ["b"])
        #expect(events.map(\.side) == [5])
    }

    @Test("A package on the link is told with its command and status as words, its direction, and what it answers")
    func packages() {
        let asked = UUID()
        let answer = MessagePackage(
            identifier: UUID(), command: .sendMessage, status: .failed, dataPackage: Data([1, 2]), errorCode: 7,
            answers: asked, timestamp: Date())
        let empty = MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .sent, wantsReply: true, timestamp: Date())
        let device = UUID()
        for isWritten in [true, false] {
            taps[0].note(answer, isWritten: isWritten, with: nil, at: MonotonicTime(nanoseconds: 4))
            taps[0].note(empty, isWritten: isWritten, with: device, at: MonotonicTime(nanoseconds: 4))
        }
        let events = take().events
        #expect(events.map(\.name) == ["write", "write", "read", "read"])
        #expect(events.map(\.stage) == [.answerWritten, .written, .answerRead, .read])
        #expect(
            events.map(\.words) == [
                "SendMessage Failed", "SendMessageData Sent", "SendMessage Failed", "SendMessageData Sent",
            ])
        #expect(events.map(\.error) == [7, nil, 7, nil])
        #expect(events.map(\.wantsReply) == [false, true, false, true])
        #expect(events.map(\.content) == [.propertyList(Data([1, 2])), nil, .propertyList(Data([1, 2])), nil])
        #expect(events.map(\.package) == [asked, empty.identifier, asked, empty.identifier])
        #expect(events.map(\.device) == [nil, device, nil, device])
        #expect(events.allSatisfy { $0.time == MonotonicTime(nanoseconds: 4) })
    }

    @Test("A message is told with its content and its thread")
    func messages() {
        let (message, device) = (UUID(), UUID())
        taps[0].note(
            "sendMessage", .call, message, Data([1]), isData: false, wantsReply: true, of: device,
            at: MonotonicTime(nanoseconds: 4))
        taps[0].note(
            "didReceiveMessageData", .delivered, message, Data(), isData: true, at: MonotonicTime(nanoseconds: 5))
        taps[0].returned()
        let events = take().events
        #expect(events.map(\.content) == [.propertyList(Data([1])), .bytes(Data())])
        #expect(events.map(\.stage) == [.call, .delivered])
        #expect(events.map(\.package) == [message, message])
        #expect(events.map(\.device) == [device, nil])
        #expect(events.map(\.wantsReply) == [true, false])
        #expect(events.map { $0.time.nanoseconds } == [4, 5])
        #expect(Set(events.map(\.thread)).count == 1)
    }

    @Test("Without a recording neither a clock is read nor an event made")
    func unrecorded() {
        var looks = 0
        func time() -> MonotonicTime {
            looks += 1
            return .now
        }
        let tap = DeviceTap()
        tap.note("sendMessage", .call, UUID(), Data(), isData: true, at: time())
        tap.note(DeviceEvent("activate", .call, at: time()))
        #expect(looks == 0)
        taps[0].note("sendMessage", .call, UUID(), Data(), isData: true, at: time())
        #expect(looks == 1)
    }

    @Test("A device that begins anew is in no call, also on a thread that a former device's call has not left")
    func formerDevices() {
        for round in 1...200 {
            let tap = DeviceTap()
            #expect(tap.open(queue, side: 0))
            tap.note(DeviceEvent("deed", .call))
            tap.note(DeviceEvent("called", .delivered))
            let told = take().events.map(\.isInCall)
            #expect(told == [false, false], "device \(round): \(told)")
        }
        taps[0].returned()
    }

    @Test("What an app does in a call of its code is told as such: on that thread, for that device, until it returns")
    func calls() {
        func act(_ tap: DeviceTap) {
            tap.note("reply", .answered, UUID(), Data(), isData: true, at: .now)
            tap.note(DeviceEvent("transferUserInfo", .call, UUID()))
        }
        act(taps[0])
        for (number, stage) in [DeviceEvent.Stage.delivered, .ended, .notified].enumerated() {
            if number == 1 {
                taps[0].note("replyHandler", stage, UUID(), Data(), isData: true, at: .now)
            } else {
                taps[0].note(DeviceEvent("called", stage))
            }
            act(taps[0])
            act(taps[1])
            let done = DispatchSemaphore(value: 0)
            let tap = taps[0]
            Thread.detachNewThread {
                tap.note(DeviceEvent("elsewhere", .call))
                done.signal()
            }
            done.wait()
            // What is no deed of the app is in no call.
            taps[0].note(DeviceEvent("write", .written))
            taps[0].returned()
            act(taps[0])
        }
        let events = take().events
        let threads = Set(events.filter { $0.name != "elsewhere" }.map(\.thread))
        #expect(threads.count == 1, "\(threads)")
        #expect(events.allSatisfy { threads.contains($0.thread) == ($0.name != "elsewhere") }, "\(threads)")
        let told = events.map(\.isInCall)
        let round = [false, true, true, false, false, false, false, false, false]
        #expect(told == [false, false] + round + round + round, "\(told)")
    }

    @Test("A call of the app's code that found no place is no cause of what the app does in it")
    func lostCalls() {
        taps[0].note(DeviceEvent("first", .notified))
        taps[0].returned()
        let large = DeviceEvent.Content.bytes(Data(count: EventQueue.mostBytes + 1))
        taps[0].note(DeviceEvent("second", .notified))
        taps[0].note(DeviceEvent("lost", .delivered, nil, .content(large)))
        taps[0].note(DeviceEvent("call", .call))
        taps[0].returned()
        let (events, dropped, _) = take()
        #expect(dropped == 1)
        #expect(events.map(\.isInCall) == [false, false, false], "\(events.map { "\($0.name) \($0.isInCall)" })")
    }

    @Test("A call of the app's code that ends after its recording leaves nothing for the next one")
    func callBeyondRecording() {
        taps[0].note(DeviceEvent("called", .notified))
        taps[0].close()
        taps[0].returned()
        #expect(taps[0].open(queue, side: 0))
        taps[0].note(DeviceEvent("call", .call))
        #expect(take().events.map(\.isInCall) == [false, false])
    }

    @Test("Devices that alternate, and many of them, are told each with its event")
    func devices() {
        let devices = (0..<300).map { _ in UUID() }
        let course = (0..<3_000).map { number -> UUID? in
            number % 7 == 0 ? nil : devices[number % 3 == 0 ? number % devices.count : number / 5 % 2]
        }
        for round in 1...2 {
            for device in course { taps[0].note(DeviceEvent("a", .other, nil, of: device)) }
            let told = take().events.map(\.device)
            let wrong = told.indices.first { told[$0] != course[$0] }
            #expect(told.count == course.count && wrong == nil, "round \(round): number \(wrong ?? -1)")
        }
    }

    @Test("Each part of an event is told as it was noted, those that it does not have as missing")
    func parts() {
        let (package, device) = (UUID(), UUID())
        taps[1].note(
            DeviceEvent(
                "full", .ended, package, .file(.propertyList(Data([3])), bytes: 9), of: device,
                at: MonotonicTime(nanoseconds: 5)))
        taps[0].note(DeviceEvent("failed", .call, package, .error(-3)))
        taps[0].note(DeviceEvent("told", .notified, nil, .words("switch #2"), of: device))
        taps[0].note(DeviceEvent("asked", .answered, nil, .content(nil, wantsReply: true)))
        taps[0].note(DeviceEvent("empty", .other, nil, .words(nil)))
        let events = take().events
        #expect(events.map(\.name) == ["full", "failed", "told", "asked", "empty"])
        #expect(events.map(\.side) == [1, 0, 0, 0, 0])
        #expect(events.map(\.stage) == [.ended, .call, .notified, .answered, .other])
        #expect(events.first?.time == MonotonicTime(nanoseconds: 5))
        #expect(events.map(\.package) == [package, package, nil, nil, nil])
        #expect(events.map(\.device) == [device, nil, device, nil, nil])
        #expect(events.map(\.content) == [.propertyList(Data([3])), nil, nil, nil, nil])
        #expect(events.map(\.bytes) == [9, nil, nil, nil, nil])
        #expect(events.map(\.error) == [nil, -3, nil, nil, nil])
        #expect(events.map(\.words) == [nil, nil, "switch #2", nil, nil])
        #expect(events.map(\.wantsReply) == [false, false, false, true, false])
    }

    @Test("Contents of every size, equal ones and different ones, are told as they were")
    func contents() {
        var contents: [Data] = []
        for number in 0..<600 {
            let size = [0, 1, 14, 15, 16, 64, 1_000, 5_000][number % 8]
            // Each twice in turn with its neighbour, as a message and its answer are, and some that differ in a byte.
            let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number / 16) })
            let part = Data(repeating: UInt8(truncatingIfNeeded: number), count: 40)
            contents += [data, data, Data([UInt8(truncatingIfNeeded: number)]), data, part[1..<20], part[2..<21], part]
        }
        for round in 1...2 {
            for data in contents { taps[0].note(DeviceEvent("a", .call, nil, .content(.bytes(data)))) }
            let told = take().events.map(\.content)
            let wrong = told.indices.first { told[$0] != .bytes(contents[$0]) }
            #expect(told.count == contents.count && wrong == nil, "round \(round): number \(wrong ?? -1)")
        }
    }

    @Test("A content of the same place as the last one of an earlier batch is told as what it is")
    func nextBatch() {
        var data = Data(repeating: 1, count: 500)
        taps[0].note(DeviceEvent("a", .call, nil, .content(.bytes(data))))
        #expect(take().events.map(\.content) == [.bytes(Data(repeating: 1, count: 500))])
        // In place, as nobody else holds it any more.
        data.withUnsafeMutableBytes { $0.copyBytes(from: [UInt8](repeating: 2, count: 500)) }
        for byte in [2, 2] as [UInt8] {
            taps[0].note(DeviceEvent("a", .call, nil, .content(.bytes(data))))
            #expect(take().events.map(\.content) == [.bytes(Data(repeating: byte, count: 500))])
        }
    }

    @Test("Bytes that an app changes or frees after its call are told as they were in the call")
    func changedBytes() {
        var data = Data(repeating: 1, count: 500)
        taps[0].note(DeviceEvent("a", .call, nil, .content(.bytes(data))))
        data.withUnsafeMutableBytes { $0.copyBytes(from: [UInt8](repeating: 2, count: 500)) }
        taps[0].note(DeviceEvent("b", .call, nil, .content(.bytes(data))))
        let expected = [1, 2].map { DeviceEvent.Content.bytes(Data(repeating: $0, count: 500)) }
        #expect(take().events.map(\.content) == expected)
    }
}

extension EventBatch {
    /// The events, which are removed.
    fileprivate var events: [NotedEvent] {
        var events: [NotedEvent] = []
        drain { events.append($0) }
        return events
    }
}
