import Foundation
import Testing
import VirtualTime
import WatchLinkSimulation

/// An app's suite as its author writes it: twenty-one tests, each with an hour of both devices, for several seeds.
@Suite("A journal's hours")
struct JournalTests {
    private struct Pair {
        let world: SimulatedWorld
        let phone: SimulatedWorld.Device
        let watch: SimulatedWorld.Device

        init(phoneFrom phoneStart: Duration = .zero, watchFrom watchStart: Duration = .seconds(1)) throws {
            world = try SimulatedWorld.current
            phone = world.phone(from: phoneStart) { JournalPhone.shared.start() }
            watch = world.watch(from: watchStart) { JournalWatch.shared.start() }
        }

        /// The watch writes a line each three minutes, and the phone has all in the end.
        func writeTen() {
            for number in 1...10 { watch.at(.seconds(180 * number)) { JournalWatch.shared.write(number) } }
            expect(Array(1...10))
        }

        func expect(_ numbers: [Int]) {
            phone.atEnd { #expect(JournalPhone.shared.lines == numbers.map { "\($0) line" }) }
        }
    }

    @Test("Lines arrive in their order", .simulated(seeds: 1...3))
    func lines() throws { try Pair().writeTen() }

    @Test("A hundred lines at once arrive in their order", .simulated(seeds: 1...3))
    func hundred() throws {
        let pair = try Pair()
        pair.watch.at(.seconds(600)) { for number in 1...100 { JournalWatch.shared.write(number) } }
        pair.expect(Array(1...100))
    }

    @Test("A watch that is there before its phone loses nothing", .simulated(seeds: 1...3))
    func watchFirst() throws { try Pair(phoneFrom: .seconds(900), watchFrom: .zero).writeTen() }

    @Test("A phone that is off for half an hour misses nothing", .simulated(seeds: 1...3))
    func phoneOff() throws {
        let pair = try Pair()
        pair.phone.kill(at: .seconds(300))
        pair.phone.start(at: .seconds(2_100))
        pair.writeTen()
    }

    @Test("A device has its own UserDefaults: in each seed anew, after a restart again", .simulated(seeds: 1...3))
    func userDefaults() throws {
        let pair = try Pair()
        @Sendable func open(times: Int) {
            let defaults = UserDefaults.standard
            #expect(defaults.integer(forKey: "JournalTests.opened") == times)
            defaults.set(times + 1, forKey: "JournalTests.opened")
            defaults.synchronize()
        }
        pair.watch.at(.seconds(10)) { open(times: 0) }
        pair.watch.kill(at: .seconds(20))
        pair.watch.start(at: .seconds(30))
        pair.watch.at(.seconds(40)) { open(times: 1) }
        pair.phone.at(.seconds(50)) { open(times: 0) }
    }

    @Test("A watch that is killed has sent, or sends when it is back", .simulated(seeds: 1...3))
    func watchKilled() throws {
        let pair = try Pair()
        pair.phone.kill(at: .seconds(170))
        pair.watch.kill(at: .seconds(190))
        pair.watch.start(at: .seconds(300))
        pair.phone.start(at: .seconds(400))
        pair.writeTen()
    }

    @Test("Whoever is killed, and whenever: a line that was kept is kept", .simulated(seeds: 1...10, kills: 2))
    func killed() throws {
        let pair = try Pair()
        for number in 1...10 { pair.watch.at(.seconds(180 * number)) { JournalWatch.shared.write(number) } }
        let lines = pair.phone.reading { JournalPhone.shared.lines.count }
        pair.world.sometimes("a line is missing, since the watch was off") { (lines.value ?? 10) < 10 }
        pair.phone.atEnd {
            let numbers = JournalPhone.shared.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
            #expect(numbers == Set(numbers).sorted(), "in their order, and none twice")
        }
    }

    @Test("The trouble of every day loses nothing", .simulated(seeds: 1...10, hazards: .usual))
    func usual() throws { try Pair().writeTen() }

    @Test("A lost link loses nothing", .simulated(seeds: 1...3, hazards: [.loss]))
    func loss() throws { try Pair().writeTen() }

    @Test("A slow link loses nothing", .simulated(seeds: 1...3, hazards: [.slowness]))
    func slowness() throws { try Pair().writeTen() }

    @Test("Lost answers have nothing kept twice", .simulated(seeds: 1...3, hazards: [.answers]))
    func answers() throws { try Pair().writeTen() }

    @Test("What waits and is overtaken is in its order all the same", .simulated(seeds: 1...3, hazards: [.deliveries]))
    func deliveries() throws { try Pair().writeTen() }

    @Test("A line that is given twice is kept once", .simulated(seeds: 1...3, hazards: [.duplicates]))
    func duplicates() throws { try Pair().writeTen() }

    @Test("A change of watches loses nothing", .simulated(seeds: 1...3, hazards: [.switches]))
    func switches() throws { try Pair().writeTen() }

    @Test("A clock that is set changes nothing", .simulated(seeds: 1...3, hazards: [.clock]))
    func clock() throws { try Pair().writeTen() }

    @Test("The last goal counts", .simulated(seeds: 1...3, hazards: .usual))
    func goal() throws {
        let pair = try Pair()
        for goal in 1...5 { pair.watch.at(.seconds(300 * goal)) { try JournalWatch.shared.set(goal: "\(goal)") } }
        pair.phone.atEnd { #expect(JournalPhone.shared.goal == "5") }
    }

    @Test("A goal that was set while the phone was off is there", .simulated(seeds: 1...3))
    func goalWhileOff() throws {
        let pair = try Pair(phoneFrom: .seconds(1_200))
        pair.watch.at(.seconds(600)) { try JournalWatch.shared.set(goal: "far") }
        pair.phone.atEnd { #expect(JournalPhone.shared.goal == "far") }
    }

    @Test("A picture arrives", .simulated(seeds: 1...3))
    func picture() throws {
        let pair = try Pair()
        pair.watch.at(.seconds(600)) { try JournalWatch.shared.send(picture: "a tree") }
        pair.phone.atEnd { #expect(JournalPhone.shared.picture == "a tree") }
    }

    @Test("A question is answered with what there is", .simulated(seeds: 1...3))
    func question() throws {
        let pair = try Pair()
        pair.writeTen()
        pair.watch.at(.seconds(3_000)) { JournalWatch.shared.ask() }
        pair.watch.atEnd { #expect(JournalWatch.shared.count == 10) }
    }

    @Test("A hundred questions in an hour are answered", .simulated(seeds: 1...3))
    func questions() throws {
        let pair = try Pair()
        for number in 1...100 { pair.watch.at(.seconds(35 * number)) { JournalWatch.shared.ask() } }
        pair.watch.atEnd { #expect(JournalWatch.shared.answers == 100) }
    }

    @Test("A question to a phone that is off ends with an error", .simulated(seeds: 1...3))
    func questionWhileOff() throws {
        let pair = try Pair()
        pair.phone.kill(at: .seconds(300))
        pair.watch.at(.seconds(600)) { JournalWatch.shared.ask() }
        pair.watch.atEnd {
            #expect(JournalWatch.shared.errors == 1)
            #expect(JournalWatch.shared.count == nil)
        }
    }

    @Test("Rare orders of threads change nothing", .simulated(seeds: 1...5, strategy: .priorities(depth: 3)))
    func orders() throws { try Pair().writeTen() }
}
