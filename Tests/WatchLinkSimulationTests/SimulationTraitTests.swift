import Foundation
import Testing
import WatchLinkSimulation

/// Tests whose devices live for an hour, and the issues of those that fail.
@Suite("The simulated trait")
struct SimulationTraitTests {
    /// A phone, and a watch that finishes two quizzes at almost the same time.
    @discardableResult
    private func points(isCareless: Bool) throws -> SimulatedWorld {
        let world = try SimulatedWorld.current
        let phone = world.phone { PhoneApp.shared.start(isCareless: isCareless) }
        let watch = world.watch(from: .seconds(1)) { WatchApp.shared.start() }
        watch.at(.seconds(600)) { WatchApp.shared.finish(3) }
        watch.at(.milliseconds(600_005)) { WatchApp.shared.finish(4) }
        let total = phone.reading { PhoneApp.shared.total }
        let sent = watch.reading { WatchApp.shared.sent }
        world.always { #expect((total.value ?? 0) <= 7) }
        world.atEnd { #expect(total.value == sent.value, "points are lost") }
        world.atEnd { #expect(sent.value == 7) }
        world.sometimes("points are counted") { total.value == 7 }
        return world
    }

    @Test("A correct pair passes", .simulated(seeds: 1...5))
    func correctPair() throws { try points(isCareless: false) }

    @Test(
        "A lost update is found, and the issue says what it is and how to see it again",
        .fails(
            "of 1...20 fails: the ", "(total.value → ", "== (sent.value → 7): points are lost",
            "Decisions that make it fail: ", "Run again: WATCHLINK_REPLAY='", "' swift test --filter '^",
            "SimulationTraitTests/lostUpdate\\(\\)/'"), .simulated(seeds: 1...20))
    func lostUpdate() throws { try points(isCareless: true) }

    @Test("A killed device comes back with its files and without its memory", .simulated(seeds: 1...3))
    func killAndStart() throws {
        let world = try SimulatedWorld.current
        let phone = world.device("phone") { Diary.shared.begin() }
        for minute in 1...4 { phone.at(.seconds(60 * minute)) { Diary.shared.write("minute \(minute)") } }
        phone.kill(at: .seconds(90))
        phone.start(at: .seconds(150))
        phone.atEnd {
            let lines = try Diary.shared.lines()
            #expect(lines == ["begin", "minute 1", "begin", "minute 3", "minute 4"])
            #expect(Diary.shared.writes == 3)
        }
        let writes = phone.reading { Diary.shared.writes }
        world.sometimes("it is killed after it wrote twice") { writes.value == 2 }
    }

    @Test("Each device has its own singletons, directory and time", .simulated(seeds: 1...2))
    func processes() throws {
        let world = try SimulatedWorld.current
        for name in ["one", "two"] {
            let device = world.device(name) { Diary.shared.begin() }
            device.at(.seconds(1_800)) { Diary.shared.write(FileManager.default.currentDirectoryPath) }
            device.atEnd {
                #expect(Diary.shared.writes == 2)
                let lines = try Diary.shared.lines()
                #expect(lines.last?.hasSuffix("/\(name)") == true, "\(lines)")
                #expect(Date.now.timeIntervalSince1970 - 1_893_456_000 >= 3_600)
            }
        }
    }

    @Test(
        "What must always hold is looked at when a device is idle",
        .fails("Seed 1 of 1...3 fails: the phone failed: ", "(Diary.shared.writes → 3) < 3", "at 120.0"),
        .simulated(seeds: 1...3))
    func always() throws {
        let phone = try SimulatedWorld.current.device("phone") { Diary.shared.begin() }
        for minute in 1...4 { phone.at(.seconds(60 * minute)) { Diary.shared.write("minute \(minute)") } }
        phone.always { #expect(Diary.shared.writes < 3) }
    }

    @Test(
        "What never comes about is told, once",
        .fails("“the diary is full” was not reached by any of the 3 seeds 1...3"), .simulated(seeds: 1...3))
    func sometimes() throws {
        let world = try SimulatedWorld.current
        let phone = world.device("phone") { Diary.shared.begin() }
        phone.sometimes("the diary is begun") { Diary.shared.writes == 1 }
        world.sometimes("the diary is full") { Diary.shared.writes == 100 }
    }

    @Test(
        "A trap is the failure of its device", .fails("Seed 1 of 1...3 fails: the watch ended by signal 4"),
        .simulated(seeds: 1...3))
    func trap() throws {
        let world = try SimulatedWorld.current
        world.device("phone") { Diary.shared.begin() }
        let watch = world.device("watch") {}
        watch.at(.seconds(60)) { Diary.shared.writeSomewhereElse() }
    }

    @Test(
        "An error of a deed is the failure of its device",
        .fails("the phone failed: could not perform its action at 60.0 seconds: ", "CocoaError"),
        .simulated(seeds: 1...3))
    func deedThrows() throws {
        let phone = try SimulatedWorld.current.device("phone") {}
        phone.at(.seconds(60)) { throw CocoaError(.fileNoSuchFile) }
    }

    @Test(
        "A main actor that waits for ever is found",
        .fails(
            "the phone deadlocked: the main thread waits in work of its run loop at 120.", "thread 0 waits in sem_wait"),
        .simulated(seeds: 1...1))
    func stuck() throws {
        let phone = try SimulatedWorld.current.device("phone") {}
        phone.at(.seconds(60)) { Diary.shared.waitForEver() }
    }

    @Test(
        "A delegate's method that does not return is found",
        .fails(
            "the phone failed: FINDING: the delegate's method session(_:didReceiveMessage:replyHandler:) has not returned"
        ),
        .simulated(seeds: 1...1))
    func blockedDelegate() throws {
        let world = try SimulatedWorld.current
        world.phone { BlockedPhone.shared.start() }
        world.watch(from: .seconds(1)) { JournalWatch.shared.start() }.at(.seconds(60)) { JournalWatch.shared.ask() }
    }

    @Test(
        "A main actor that is never free again is found",
        .fails("the phone failed: its final checks did not run: its main actor was not free"),
        .simulated(seeds: 1...1))
    func busy() throws {
        let phone = try SimulatedWorld.current.device("phone") {}
        phone.at(.seconds(60)) { Diary.shared.waitHourByHour() }
    }

    @Test(
        "A device that takes from a lottery that no world draws is not the same again",
        .fails("Seed 1 differs when it is repeated", "not controlled by its world"), .simulated(seeds: 1...3))
    func unrepeatable() throws {
        let phone = try SimulatedWorld.current.device("phone") {}
        phone.at(.seconds(60)) { print(try String(contentsOfFile: "/proc/sys/kernel/random/uuid", encoding: .utf8)) }
    }
}

/// Bodies that cannot be simulated.
@Suite("Wrong simulated tests")
struct WrongSimulationTests {
    @Test("No device", .fails("the test declares no device; call phone, watch or device of its world"), .simulated())
    func noDevice() {}

    @Test("A device twice", .fails("the device “phone” is declared twice"), .simulated())
    func twice() throws {
        let world = try SimulatedWorld.current
        world.phone {}
        world.phone {}
    }

    @Test("A name that is none", .fails("the program name “my phone”"), .simulated())
    func name() throws { try SimulatedWorld.current.device("my phone") {} }

    @Test("A deed after the end", .fails("happens to the device “phone” at 7200.0 seconds"), .simulated())
    func late() throws { try SimulatedWorld.current.phone {}.at(.seconds(7_200)) {} }

    @Test("A start of what runs", .fails("“phone” is started at 60.0 seconds, but is already running"), .simulated())
    func running() throws { try SimulatedWorld.current.phone {}.start(at: .seconds(60)) }

    @Test("A world without time", .fails("a duration of 0.0 seconds is not possible"), .simulated(hours: 0))
    func noTime() throws { try SimulatedWorld.current.phone {} }

    @Test("A body that throws", .fails("CocoaError"), .simulated())
    func throwing() throws { throw CocoaError(.fileNoSuchFile) }

    @Test("Arguments", .fails("a simulated test cannot have arguments"), .simulated(), arguments: [1])
    func arguments(_ number: Int) {}

    @Test("No world")
    func outside() { #expect(throws: SimulationError.self) { try SimulatedWorld.current } }
}
