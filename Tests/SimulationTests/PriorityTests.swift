import Foundation
import LinkProtocol
import Testing

@testable import Simulation

/// Messages beside a file of 4 MB and 30 user infos of 60 KB, over the links that a watch has, in simulated time.
@Suite("Messages go first")
struct PriorityTests {
    private static let presets: [LinkPreset] = [.perfect, .wifi, .bluetooth, .bluetoothFar]
    private static let (file, userInfos, messages) = (4_000_000, 30, 200)
    /// After so long a message fails with 7012.
    private static let replyTimeout = LinkTimes().reply.inSeconds

    private static func run(
        _ preset: LinkPreset, _ load: LinkModel.Load, _ sending: LinkModel.Sending = .scheduled
    ) throws -> LinkModel.Result {
        var model = LinkModel(preset.condition, load, sending)
        return try model.run()
    }

    @Test("A reply takes little longer beside a file and user infos than alone", arguments: presets)
    func beside(_ preset: LinkPreset) throws {
        let alone = try Self.run(preset, .init(messages: Self.messages))
        for both in [false, true] {
            let busy = try Self.run(
                preset, .init(file: Self.file, userInfos: Self.userInfos, messages: Self.messages, both: both))
            #expect(busy.replies.count == Self.messages)
            #expect(busy.p99 <= 3 * alone.p99 + 0.1, "\(preset): \(busy.p99) s, alone \(alone.p99) s")
            let slowest = try #require(busy.replies.max())
            #expect(slowest < Self.replyTimeout)
        }
    }

    @Test("The file and the user infos get what the messages leave", arguments: presets)
    func background(_ preset: LinkPreset) throws {
        for (file, userInfos) in [(Self.file, 0), (0, Self.userInfos), (Self.file, Self.userInfos)] {
            let load = LinkModel.Load(file: file, userInfos: userInfos)
            let alone = try Self.run(preset, load)
            let busy = try Self.run(
                preset, .init(file: file, userInfos: userInfos, messages: Self.messages))
            #expect(
                alone.background >= 0.9 * busy.background,
                "\(preset): \(busy.background) s, alone \(alone.background) s")
            // The link is as good as full: what is left is a tenth of a second to learn what it carries. Where delays vary by a
            // multiple of what may wait, a sender cannot tell the one from the other, and sends less.
            let most = try Self.run(preset, load, .atOnce).background
            let share = preset == .bluetoothFar ? 0.8 : 0.9
            #expect(most + 0.1 >= share * alone.background, "\(preset): \(alone.background) s, at once \(most) s")
        }
    }

    @Test(
        "What was measured is measured again, and a long transfer keeps its pace",
        arguments: [LinkPreset.wifi, .bluetooth])
    func long(_ preset: LinkPreset) throws {
        let bandwidth = try #require(preset.condition.outgoing.bytesPerSecond)
        let result = try Self.run(preset, .init(file: 25 * bandwidth))
        #expect(result.background < 25 / 0.9, "\(result.background) s")
    }

    @Test("Written at once, the same load makes messages wait for seconds, and fail")
    func atOnce() throws {
        let load = LinkModel.Load(file: Self.file, userInfos: Self.userInfos, messages: 5)
        let bluetooth = try Self.run(.bluetooth, load, .atOnce).p99
        #expect(bluetooth > 5)
        let far = try Self.run(.bluetoothFar, load, .atOnce).p99
        #expect(far > Self.replyTimeout)
    }
}
