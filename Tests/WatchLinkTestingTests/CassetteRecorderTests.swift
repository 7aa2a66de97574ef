import CassetteRecording
import Cassettes
import DeviceShell
import Foundation
import Processes
import Testing

@Suite("The recorder of cassettes")
struct CassetteRecorderTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch.url.path(percentEncoded: false) + "/cassette" }

    init() throws { scratch = try ScratchDirectory() }

    private func recorder() throws -> CassetteRecorder {
        try CassetteRecorder(path: path, sides: ["phone"], seed: 1, rules: RedactionRules())
    }

    private func tap(of recorder: CassetteRecorder) -> DeviceTap {
        let tap = DeviceTap()
        #expect(tap.open(recorder.queue, side: 0))
        return tap
    }

    @Test("Events beyond the queue are counted, and the cassette says that it is incomplete, and why")
    func fullQueue() throws {
        let recorder = try recorder()
        let tap = tap(of: recorder)
        let count = 20 * EventQueue.most
        for _ in 0..<count { tap.note(DeviceEvent("activate", .call)) }
        let report = recorder.finish()
        #expect(report.lost > 0)
        #expect(report.events + report.lost == count)
        #expect(report.reason == "the disk was slower than the events")
        let cassette = try Cassette(at: path)
        #expect(cassette.manifest.state == .incomplete)
        #expect(cassette.manifest.lost == report.lost)
        #expect(cassette.events.count == report.events)
    }

    @Test("Contents beyond the queue's bytes are counted as well")
    func largeContents() throws {
        let recorder = try recorder()
        let tap = tap(of: recorder)
        // The same each time, so that it is hashed once only.
        let content = Data(repeating: 7, count: 512 * 1024)
        let count = 8 * EventQueue.mostBytes / content.count
        for _ in 0..<count {
            tap.note(
                DeviceEvent("sendMessageData", .call, UUID(), .content(.bytes(content), wantsReply: false)))
        }
        let report = recorder.finish()
        #expect(count < EventQueue.most)
        #expect(report.lost > 0)
        #expect(report.events + report.lost == count)
    }

    @Test("The end of a recording is the same for all who ask, and later events are not taken")
    func finish() throws {
        let recorder = try recorder()
        let tap = tap(of: recorder)
        tap.note(DeviceEvent("activate", .call))
        let report = recorder.finish()
        tap.note(DeviceEvent("activate", .call))
        #expect(recorder.finish() == report)
        #expect(report.events == 1 && report.isComplete)
        #expect(try Cassette(at: path).events.map(\.kind) == ["activate"])
    }

    @Test("A device has one recording at a time, and events are made for a recording only")
    func tap() throws {
        let tap = DeviceTap()
        var made = 0
        func event() -> DeviceEvent {
            made += 1
            return DeviceEvent("activate", .call)
        }
        tap.note(event())
        let order = RecordingOrder(into: scratch.url.path(percentEncoded: false))
        let recording = try SingleRecording(tap, side: "watch", order, seed: 1)
        #expect(throws: SingleRecording.Busy.self) { _ = try SingleRecording(tap, side: "watch", order, seed: 1) }
        tap.note(event())
        #expect(recording.finish().events == 1)
        tap.note(event())
        #expect(made == 1)
        #expect(recording.path.hasSuffix("/watch-1"))
        #expect(try SingleRecording(tap, side: "watch", order, seed: 1).path.hasSuffix("/watch-2"))
    }
}
