import Foundation
import Testing

@testable import VirtualTime

/// Tests of what a power cut leaves, with a program that writes files in several ways and says what it finds.
@Suite("Power cuts", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct PowerCutTests {
    private static let start: Duration = .seconds(140)

    private static func script(
        _ deed: Deed?, _ words: String..., end: Duration = .seconds(200), hazards: [Hazard] = []
    ) throws -> Script {
        let phone = Players.player("phone", ["save"] + words)
        let lines: [Script.Line] = [.init(at: .zero, .start(phone))]
        let restart: [Script.Line] =
            deed.map { [.init(at: .seconds(130), $0), .init(at: Self.start, .start(phone))] } ?? []
        return try Script(lines + restart, end: end, hazards: hazards)
    }

    /// What the last life found.
    private func found(_ performance: Performance) throws -> String {
        let phone = try #require(performance.processes.last)
        let line = String(decoding: phone.output, as: UTF8.self).split(separator: "\n").first
        return try #require(line).split(separator: " ", maxSplits: 2).last.map { String($0) } ?? ""
    }

    private static let everything = "old=o synced=12 unsynced=1 replaced=2 replaced.new=none removed=none"

    @Test("A kill loses no file")
    func kill() throws {
        let performance = try Conductor().perform(Self.script(.kill("phone")), JointCourse(seed: 1))
        #expect(try found(performance) == Self.everything)
    }

    @Test("A power cut loses what was not synchronized, and keeps what was, or is old")
    func cut() throws {
        let (performance, isRepeatable) = try Conductor().check(Self.script(.cutPower("phone")), JointCourse(seed: 1))
        #expect(isRepeatable)
        #expect(performance.processes.map(\.fate) == [.killed, .running])
        #expect(try found(performance) == "old=o synced=1 unsynced= replaced=1 replaced.new=2 removed=1")
    }

    @Test("Names are safe once their directory was synchronized")
    func directory() throws {
        let performance = try Conductor().perform(Self.script(.cutPower("phone"), "safely"), JointCourse(seed: 1))
        #expect(try found(performance) == "old=o synced=1 unsynced= replaced=2 replaced.new=none removed=none")
    }

    @Test("With a hazard, the decisions cut the power or not, and lose all or some; dull ones lose nothing")
    func hazard() throws {
        let script = try Self.script(
            nil, end: .seconds(400),
            hazards: [Hazard("phone", kills: 1, pause: .seconds(1)...(.seconds(2)), cutsPower: true)])
        var found: Set<String> = []
        var smallest: (course: JointCourse, lines: [String])?
        for seed in 1...30 as ClosedRange<UInt64> {
            let performance = try Conductor().perform(script, JointCourse(seed: seed))
            guard performance.processes.count > 1, performance.processes[0].span.upperBound > .seconds(121) else {
                continue
            }
            let left = try self.found(performance)
            found.insert(left)
            guard left.contains(" synced=1 "), smallest == nil else { continue }
            #expect(performance.deeds.contains { $0.deed == .cutPower("phone") })
            let again = try Conductor().perform(script, performance.followed)
            #expect(again.processes.map(\.output) == performance.processes.map(\.output))
            smallest = (performance.followed, ShortCourse(performance).lines)
        }
        #expect(found.contains(Self.everything), "\(found)")
        #expect(found.count > 2, "\(found)")
        let lines = try #require(smallest).lines
        #expect(
            lines.contains { $0.hasSuffix("the power of phone is cut, and loses what was not synchronized") },
            "\(lines)")
    }

    @Test("A finding keeps the deed and the hazard")
    func finding() throws {
        let script = try Self.script(.cutPower("phone"), hazards: [Hazard("phone", cutsPower: true)])
        let performance = try Conductor().perform(script, JointCourse(seed: 1))
        let finding = try Finding(performance, of: script, settings: WorldSettings(), ending: .horizon)
        #expect(try Finding(finding.encoded(), path: "f").script == script)
    }
}
