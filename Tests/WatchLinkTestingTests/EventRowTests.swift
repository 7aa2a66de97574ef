import CassetteRecording
import Foundation
import LinkProtocol
import Synchronization
import Testing

@testable import DeviceShell

/// The memory of events: rows that are used again and again, and contents that are held until they are written.
@Suite("The rows of the events that wait for a recorder")
struct EventRowTests {
    private let queue = EventQueue()
    private let tap = DeviceTap()
    /// The batch that changes places with the queue's, as that of a recorder's thread.
    private let batch = EventBatch()

    init() {
        let isOpen = tap.open(queue, side: 0)
        #expect(isOpen)
    }

    /// Takes the events into the batch, and leaves them there.
    private mutating func take() { _ = queue.take(into: batch) { _ in true } }

    private func note(_ name: StaticString, _ content: Data) {
        tap.note(DeviceEvent(name, .call, nil, .content(.bytes(content))))
    }

    @Test(
        "A package with a file's name or bytes leaves no content",
        arguments: [Command.transferFile, .fileChunk, .fileProgress, .transferUserInfo])
    mutating func files(_ command: Command) {
        let package = MessagePackage(
            identifier: UUID(), command: command, status: .sent, dataPackage: Data("the file".utf8), timestamp: Date())
        tap.note(package, isWritten: true, with: nil, at: MonotonicTime(nanoseconds: 1))
        take()
        var isContent: [Bool] = []
        batch.drain { isContent.append($0.content != nil) }
        #expect(isContent == [command == .transferUserInfo])
    }

    @Test("Rows are used again only when their events were read, round after round, and hold nothing of those")
    mutating func rounds() {
        for round in 0..<6 {
            let (device, count) = (UUID(), round % 3 + 1)
            for number in 0..<count {
                tap.note(
                    DeviceEvent("words", .other, nil, .words("\(round) \(number)"), of: device))
                note("content", Data(repeating: UInt8(round * 10 + number), count: 100))
            }
            take()
            // While the thread reads, the app goes on.
            tap.note(DeviceEvent("next", .other, nil, .words("next"), of: UUID()))
            #expect(batch.count == 2 * count + (round == 0 ? 0 : 1), "round \(round): \(batch.count)")
            let first = batch.fill[round == 0 ? 0 : 1]
            #expect(first.number == (round == 0 ? 0 : 1), "round \(round): number \(first.number) of the words")
            #expect(first.device == (round == 0 ? 0 : 1), "round \(round): number \(first.device) of the device")
            #expect(batch.fill[round == 0 ? 1 : 2].content == 0, "round \(round): contents of earlier rounds are held")
            #expect(batch.fill.bytes == 100 * count, "round \(round): \(batch.fill.bytes) bytes")
            var told: [NotedEvent] = []
            batch.drain { told.append($0) }
            let words = told.compactMap(\.words)
            #expect(words == (round == 0 ? [] : ["next"]) + (0..<count).map { "\(round) \($0)" }, "\(words)")
            let bytes = told.compactMap { if case .bytes(let data) = $0.content { data.first } else { nil } }
            #expect(bytes == (0..<count).map { UInt8(round * 10 + $0) }, "\(bytes)")
            #expect(batch.count == 0 && batch.fill.bytes == 0)
        }
    }

    @Test("A content is held until its event was read, and no longer")
    mutating func release() {
        let released = Mutex<[Int]>([])
        func content(_ number: Int) -> Data {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: UInt8(number), count: 4_096)
            return Data(
                bytesNoCopy: memory, count: 4_096,
                deallocator: .custom { memory, _ in
                    memory.deallocate()
                    released.withLock { $0.append(number) }
                })
        }
        for number in 0..<3 { note("a", content(number)) }
        #expect(released.withLock { $0 } == [], "before they were taken")
        take()
        #expect(released.withLock { $0 } == [], "before they were read")
        batch.drain { event in
            let bytes = if case .bytes(let data) = event.content { data.count } else { 0 }
            #expect(bytes == 4_096)
        }
        #expect(released.withLock { $0.sorted() } == [0, 1, 2], "after they were read")
        note("b", content(3))
        take()
        batch.drain { _ in }
        #expect(released.withLock { $0.sorted() } == [0, 1, 2, 3], "from the other batch")
    }

    @Test("A content that passes the app's call and the link is held once, and others are held beside it")
    mutating func once() {
        let (first, second) = (Data(repeating: 1, count: 500), Data(repeating: 2, count: 500))
        let (short, other) = (Data([1, 2]), Data([1, 3]))
        // Of the same place but another length, and of the same length at another place.
        let contents = [first, first, second, second, first, first[0..<400], short, short, other, second[0..<400]]
        for content in contents { note("a", content) }
        take()
        let numbers = (0..<batch.count).map { batch.fill[$0].content }
        #expect(numbers == [0, 0, 1, 1, 2, 3, 4, 4, 5, 6], "\(numbers)")
        var told: [DeviceEvent.Content?] = []
        batch.drain { told.append($0.content) }
        #expect(told == contents.map { .bytes($0) }, "\(told.map { "\(String(describing: $0))" })")
    }
}
