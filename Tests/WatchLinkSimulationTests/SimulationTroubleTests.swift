import Foundation
import Testing
import VirtualTime

@testable import WatchLinkSimulation

/// What seeds bring to the devices of a test, beside what the test declares.
@Suite("Trouble in simulated tests")
struct SimulationTroubleTests {
    @Test("A seed kills a device and starts it again, but not in the end", .simulated(seeds: 1...30, kills: 2))
    func kills() throws {
        let phone = try SimulatedWorld.current.device("phone") { Diary.shared.begin() }
        for minute in 1..<60 { phone.at(.seconds(60 * minute)) { Diary.shared.write("\(minute)") } }
        phone.sometimes("it was killed twice") { try Diary.shared.lines().count { $0 == "begin" } == 3 }
        phone.sometimes("it was never killed") { Diary.shared.writes == 60 }
        phone.atEnd {
            let lines = try Diary.shared.lines()
            #expect(lines.suffix(5) == ["55", "56", "57", "58", "59"])
        }
    }

    @Test("A seed fills a disk, and it has room again in the end", .simulated(seeds: 1...20, hazards: [.disk]))
    func disk() throws {
        let phone = try SimulatedWorld.current.device("phone") { Diary.shared.begin() }
        for minute in 1..<60 { phone.at(.seconds(60 * minute)) { Diary.shared.write("\(minute)") } }
        phone.sometimes("a minute is not written") { Diary.shared.refusals > 0 }
        phone.atEnd {
            #expect(Diary.shared.writes + Diary.shared.refusals == 60)
            let lines = try Diary.shared.lines()
            #expect(lines.last == "59")
        }
    }

    @Test(
        "A seed sets a clock, and what is due by the other clocks comes in time",
        .simulated(seeds: 1...20, hazards: [.clock]))
    func clock() throws {
        let phone = try SimulatedWorld.current.device("phone") { Diary.shared.begin() }
        phone.at(.seconds(1_800)) { Diary.shared.write("half") }
        let beginning = Date(timeIntervalSince1970: 1_893_456_000)
        phone.sometimes("it is later") { Date.now.timeIntervalSince(beginning) > 3_700 }
        phone.sometimes("it is earlier") { Date.now < beginning }
        phone.atEnd { #expect(Diary.shared.writes == 2) }
    }

    @Test(
        "The trouble that a failure needs is in its issue, and a picture of it",
        .fails("fails: the phone failed: ", "Decisions that make it fail: ", ", timeline: ", ".html"),
        .simulated(seeds: 1...30, hazards: [.answers, .switches]))
    func switches() throws {
        let world = try SimulatedWorld.current
        let phone = world.phone { PhoneApp.shared.start(isCareless: false) }
        world.watch(from: .seconds(1)) { WatchApp.shared.start() }
        phone.always { #expect(PhoneApp.shared.deactivations == 0) }
    }

    @Test("Threads are late as the settings say, and priorities decide", .simulated(.late))
    func late() throws {
        let phone = try SimulatedWorld.current.device("phone") { Diary.shared.begin() }
        phone.at(.seconds(60)) {
            let begin = ContinuousClock.now
            await Task.detached {}.value
            if ContinuousClock.now - begin > .seconds(1) { Diary.shared.write("late") }
        }
        phone.sometimes("a task is late by a second") { try Diary.shared.lines().contains("late") }
    }

    @Test("Nothing is done to a device in the quiet period before the end, which is half of a short life at most")
    func quietPeriod() {
        var settings = SimulationSettings()
        settings.hazards = [.disk, .loss]
        #expect(settings.hazard("x").until == .seconds(3_300))
        #expect(settings.hazard("x").diskFills > 0)
        #expect(settings.hazard("x").clockJumps == 0)
        settings.duration = .seconds(100)
        #expect(settings.hazard("x").until == .seconds(50))
        #expect(settings.hazard("x").pause.upperBound == .seconds(25))
        #expect(settings.variables["WATCHLINK_HAZARDS"] == "loss", "the disk is not the session's")
        settings.environment = ["WATCHLINK_LOG_LEVEL": "warning"]
        #expect(settings.variables["WATCHLINK_LOG_LEVEL"] == "warning")
    }

    @Test("Every trouble of explore is one of tests, by the same name")
    func names() {
        let own: [SimulatedHazard] = [
            .loss, .slowness, .answers, .deliveries, .duplicates, .switches, .disk, .clock, .power,
        ]
        #expect(Set(own) == .all)
        #expect(own.count == Set<SimulatedHazard>.all.count)
        #expect(Set.usual == [.loss, .slowness, .answers, .deliveries])
    }

    @Test("Settings that cannot be are refused, with what is allowed")
    func refused() {
        func message(_ change: (inout SimulationSettings) -> Void) -> String {
            var settings = SimulationSettings()
            change(&settings)
            do {
                _ = try settings.following([:])
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(message { $0.kills = 1_000 } == "")
        #expect(message { $0.kills = 1_001 }.contains("1001 kills are not possible; use 0 to 1000"))
        #expect(message { $0.kills = -1 }.contains("0 to 1000"))
        #expect(message { $0.quietPeriod = .seconds(-1) }.contains("must not be less than 0"))
        #expect(message { $0.stallMilliseconds = 3_600_000 } == "")
        #expect(message { $0.stallMilliseconds = 3_600_001 }.contains("use 0 to 3600000"))
        #expect(message { $0.strategy = .priorities(depth: 0) }.contains("use 1 to 16"))
    }
}

extension SimulationSettings {
    fileprivate static let late: SimulationSettings = {
        var settings = SimulationSettings()
        (settings.seeds, settings.stall, settings.stallMilliseconds) = (1...10, 4, 3_000)
        (settings.strategy, settings.preemption) = (.priorities(depth: 2), 0)
        return settings
    }()
}
