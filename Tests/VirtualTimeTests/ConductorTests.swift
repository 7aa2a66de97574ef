import CProbe
import Foundation
import Testing

@testable import VirtualTime

/// Tests of real, unmodified programs in one virtual time.
@Suite("Conductor", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ConductorTests {
    private static func pair(_ count: Int = 5) throws -> Script {
        try Players.script([
            (.zero, .start(Players.player("phone", "serve", "{world}/socket"))),
            (.seconds(10), .start(Players.player("watch", "ask", "{world}/socket", "\(count)", "600"))),
        ])
    }

    @Test("An hour of two programs takes less than an hour, and they share one clock")
    func hour() throws {
        let conductor = try Conductor()
        let performance = try conductor.perform(Self.pair(), JointCourse(seed: 4))
        #expect(performance.failure == nil)
        #expect(performance.processes.map(\.name) == ["phone", "watch"])
        let (phone, watch) = (performance.processes[0], performance.processes[1])
        #expect(
            Players.sayings(phone) == ["serves, after 0"] + (0..<5).map { "received \($0)" },
            "\(Players.text(phone.errors))")
        #expect(Players.sayings(watch) == (0..<5).map { "answered \($0)" }, "\(Players.text(watch.errors))")
        #expect(watch.fate == .ended(.finished))
        #expect(watch.span.lowerBound == .seconds(10))
        #expect(watch.span.upperBound >= .seconds(3_010))
        #expect(watch.span.upperBound < .seconds(3_012))
        // The watch's exit closes its connection; then nothing more happens until the script ends.
        #expect(phone.fate == .running)
        #expect(performance.virtualTime == .seconds(3_600))
        let first = Players.text(watch.output).split(separator: " ").first.flatMap { Double($0) } ?? 0
        let epoch = Double(conductor.settings.epoch) / 1e9
        #expect(abs(first - epoch - 10.2) < 0.01, "\(first - epoch)")
    }

    @Test("A performance lasts as long as its script, even a year")
    func year() throws {
        let day = 86_400.0
        let script = try Players.script(
            [(.zero, .start(Players.player("phone", "exit", "\(364 * day)", "0")))], end: .seconds(365 * day))
        let phone = try Conductor().perform(script, JointCourse(seed: 1)).processes[0]
        #expect(phone.fate == .ended(.finished), "\(phone.fate)")
        #expect(phone.span.upperBound >= .seconds(364 * day), "\(phone.fate)")
    }

    @Test("A program is started once, under its own name")
    func name() throws {
        let cat = Program(name: "cat", executable: "/bin/cat", arguments: ["/proc/self/comm"])
        let performance = try Conductor().perform(Players.script([(.zero, .start(cat))]), JointCourse(seed: 1))
        // A program that executes itself again, to be the same on every machine, is called “exe”.
        #expect(performance.processes.map { Players.text($0.output) } == ["cat\n"])
    }

    @Test("A program that waits for another connection of the same number gets its turns")
    func sameNumber() throws {
        let conductor = try Conductor()
        let asking: [(Duration, Deed)] = (1...3).map {
            (.seconds(10), .start(Players.player("watch-\($0)", "ask-later", "{world}/socket", "\($0)")))
        }
        let phone = Players.player("phone", "serve-in-turn", "{world}/socket")
        let script = try Players.script([(.zero, .start(phone))] + asking)
        for seed in 1...3 {
            let performance = try conductor.perform(script, JointCourse(seed: UInt64(seed)))
            #expect(performance.failure == nil)
            let said = performance.processes.map { Players.sayings($0) }
            #expect(said == [[], ["answered"], ["answered"], ["answered"]], "\(PerformanceText(performance).text)")
        }
    }

    @Test("A program that has nothing to do gets no turn when others are busy")
    func turns() throws {
        let busy: [(Duration, Deed)] = [
            (.zero, .start(Players.player("phone", "serve", "{world}/socket"))),
            (.seconds(1), .start(Players.player("watch", "ask", "{world}/socket", "5", "60"))),
        ]
        let idle: [(Duration, Deed)] = (0..<3).map {
            (.zero, .start(Players.player("idle-\($0)", "serve", "{world}/other-\($0)")))
        }
        let conductor = try Conductor()
        let alone = try conductor.perform(Players.script(busy), JointCourse(seed: 1)).rounds
        let beside = try conductor.perform(Players.script(busy + idle), JointCourse(seed: 1)).rounds
        // The idle ones start, and look once after each end of another program.
        #expect(beside - alone <= 12, "\(alone) turns without idle programs, and \(beside) with them")
    }

    @Test("A program goes on by itself while nothing is due to the others, and no longer")
    func alone() throws {
        let clock = Players.player("clock", "linger"), phone = Players.player("phone", "serve", "{world}/socket")
        let watch = Players.player("watch", "ask", "{world}/socket", "2", "600")
        let script = try Players.script(
            [(.zero, .start(phone)), (.zero, .start(clock)), (.milliseconds(1_000_500), .start(watch))],
            end: .seconds(2_000))
        let conductor = try Conductor()
        let performance = try conductor.perform(script, JointCourse(seed: 1))
        let outputs = performance.processes.map { Players.text($0.output) }
        let counts = Players.sayings(performance.processes[1])
        #expect(counts == (1...2_000).map { "count \($0)" }, "\(outputs[1])")
        // A turn for each second would be 2,000.
        #expect(performance.rounds < 100, "\(performance.rounds) turns")
        // All saw the same time, although the clock had been going on by itself.
        let said = outputs.joined().split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2) }
        let time = { (text: String) in
            said.first { $0.last?.hasPrefix(text) == true }.flatMap { Double($0[0]) } ?? 0
        }
        #expect(time("received 0") - time("count 1001") > 0.4, "\(outputs)")
        #expect(time("count 1002") - time("answered 0") > 0.2, "\(outputs)")
        #expect(try conductor.perform(script, JointCourse(seed: 1)) == performance)
    }

    @Test("A signal of another program is noticed at once")
    func signalled() throws {
        let script = try Players.script([
            (.zero, .start(Players.player("target", "target", "{world}/number"))),
            (.zero, .start(Players.player("sender", "signal", "{world}/number"))),
        ])
        let conductor = try Conductor()
        let performance = try conductor.perform(script, JointCourse(seed: 1))
        let target = try #require(performance.processes.first { $0.name == "target" })
        #expect(
            Players.sayings(target) == ["signalled"],
            "\(performance.processes.map { Players.text($0.output + $0.errors) })")
        let time = Players.text(target.output).split(separator: " ").first.flatMap { Double($0) } ?? 0
        #expect(abs(time - Double(conductor.settings.epoch) / 1e9 - 10) < 1)
    }

    @Test("Shells run as programs, and one that executes another program in its place is told so")
    func shells() throws {
        let conductor = try Conductor()
        for shell in ["/bin/bash", "/bin/dash"] where FileManager.default.isExecutableFile(atPath: shell) {
            let program = Program(
                name: "shell", executable: shell, arguments: ["-c", "echo $((6 * 7)) $NAME; exit 3"],
                environment: ["NAME": "a b"])
            let process = try conductor.perform(Players.script([(.zero, .start(program))]), JointCourse(seed: 1))
                .processes[0]
            #expect(process.fate == .ended(.exited(code: 3)), "\(shell): \(process.fate)")
            #expect(Players.text(process.output) == "42 a b\n")
            let other = Program(name: "shell", executable: shell, arguments: ["-c", "exec /bin/sleep 5"])
            let ending = try conductor.perform(Players.script([(.zero, .start(other))]), JointCourse(seed: 1))
                .processes[0]
                .world.ending
            guard case .uncontrolledCall(let text) = ending else {
                Issue.record("\(shell): \(ending)")
                continue
            }
            #expect(text.contains("executes another one in its place, /bin/sleep"), "\(text)")
        }
    }

    @Test("Each start has its own arguments and environment, and a new build is loaded anew")
    func loaded() throws {
        let conductor = try Conductor()
        let file = "/tmp/virtual-time-script-\(getpid())"
        defer { unlink(file) }
        func said(_ body: String, _ argument: String, _ variable: String, seed: UInt64) throws -> String {
            try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(fileURLWithPath: file))
            chmod(file, 0o700)
            let program = Program(
                name: "program", executable: file, arguments: [argument, "{world}"], environment: ["V": variable])
            let script = try Players.script([(.zero, .start(program))])
            return Players.text(try conductor.perform(script, JointCourse(seed: seed)).processes[0].output)
        }
        let first = try said("echo one $1 $V $2", "abc", "x", seed: 1)
        #expect(first.hasPrefix("one abc x /dev/shm/") && first.hasSuffix("0000000000000001\n"), "\(first)")
        #expect(
            try said("echo one $1 $V $2", "xyz", "a longer one", seed: 2).hasPrefix("one xyz a longer one /dev/shm/"))
        #expect(
            try said("echo one $1 $V $2", "of another length", "", seed: 2).hasPrefix("one of another length /dev/shm/")
        )
        #expect(try said("echo two, a new build, $1", "abc", "x", seed: 1) == "two, a new build, abc\n")
    }

    @Test("A program linked statically with Swift's library has its arguments and seeded hashes, copied or not")
    func staticProgram() throws {
        let place = "/tmp/virtual-time-static-\(getpid())"
        defer { for end in ["", ".swift"] { unlink(place + end) } }
        let source = "print(CommandLine.arguments.dropFirst().map(\\.count), \"a\".hashValue)\n"
        try Data(source.utf8).write(to: URL(fileURLWithPath: place + ".swift"))
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-static-stdlib", place + ".swift", "-o", place]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "the compiler cannot link with Swift's static library")
        let conductor = try Conductor()
        func said(_ lengths: [Int]) throws -> String {
            let arguments = lengths.map { String(repeating: "x", count: $0) }
            let program = Program(name: "phone", executable: place, arguments: arguments)
            let performance = try conductor.perform(Players.script([(.zero, .start(program))]), JointCourse(seed: 1))
            return Players.text(performance.processes[0].output)
        }
        let first = try said([1, 2])
        #expect(first.hasPrefix("[1, 2] "), "\(first)")
        #expect(try said([1, 2]) == first)
        // Too many bytes for a copy.
        let large = Array(repeating: 1_000, count: 100)
        let uncopied = try said(large)
        #expect(uncopied == "\(large) \(first.dropFirst("[1, 2] ".count))")
    }

    @Test("A process waits for a debugger before a decision, stops in it, and then behaves as it does without one")
    func debugger() throws {
        let script = try Players.script([(.zero, .start(Players.player("racer", "race")))], end: .seconds(60))
        var conductor = try Conductor()
        let first = try conductor.perform(script, JointCourse(seed: 2))
        #expect(first.processes[0].world.decisions.count > 1)
        let signal = Handover<Int32>()
        conductor.breakpoint = Breakpoint(process: 0, decision: 0) { process in
            // The announcement arrives on the conducting thread; a process is traced by one thread.
            Thread.detachNewThread { signal.give(probe_signal_in_debugger(process)) }
        }
        Players.expectSame(try conductor.perform(script, JointCourse(seed: 2)), first)
        #expect(signal.take() == SIGTRAP)
        conductor.breakpoint = Breakpoint(process: 1, decision: 0) { _ in Issue.record("there is no second process") }
        Players.expectSame(try conductor.perform(script, JointCourse(seed: 2)), first)
    }

    @Test("The same seed gives the same bytes, another seed gives others", arguments: [1, 2, 3] as [UInt64])
    func repeatable(_ seed: UInt64) throws {
        let conductor = try Conductor()
        let script = try Players.script([
            (.zero, .start(Players.player("phone", "serve", "{world}/socket"))),
            (.zero, .start(Players.player("watch", "ask", "{world}/socket", "2", "1"))),
            (.zero, .start(Players.player("other", "race"))),
            (.zero, .start(Players.player("teller", "tell"))),
        ])
        let (performance, isRepeatable) = try conductor.check(script, JointCourse(seed: seed))
        #expect(isRepeatable)
        #expect(performance.failure == nil)
        let other = try conductor.perform(script, JointCourse(seed: seed + 1_000))
        #expect(other.processes.map(\.output) != performance.processes.map(\.output))
        // Two performances with the same text took the same decisions.
        let counts = performance.processes.map(\.world.decisions.count)
        #expect(counts.contains { $0 > 0 }, "\(counts)")
        for process in performance.processes {
            let line = "\(process.world.decisions.count) decisions, \(process.world.fingerprint)\n"
            #expect(PerformanceText(performance).text.contains(line))
        }
        #expect(other.processes.map(\.world.fingerprint) != performance.processes.map(\.world.fingerprint))
    }

    @Test("A followed course is followed again exactly")
    func replay() throws {
        let conductor = try Conductor()
        let script = try Players.script([
            (.zero, .start(Players.player("a", "race"))), (.zero, .start(Players.player("b", "race"))),
        ])
        let performance = try conductor.perform(script, JointCourse(seed: 5))
        let again = try conductor.perform(script, performance.followed)
        #expect(again.processes.map(\.output) == performance.processes.map(\.output))
        #expect(again.processes.map(\.world.decisions) == performance.processes.map(\.world.decisions))
        #expect(again.decisions == performance.decisions)
        for process in again.processes {
            let course = performance.followed.course(of: process.life)
            #expect(course.divergence(from: process.world.decisions) == nil)
        }
    }

    @Test("SIGKILL arrives at its instant, and a restarted program finds its files")
    func killAndRestart() throws {
        let phone = Players.player("phone", "serve", "{world}/socket")
        let script = try Players.script([
            (.zero, .start(phone)),
            (.seconds(10), .start(Players.player("watch", "ask", "{world}/socket", "3", "60"))),
            // 100 ms before the answer to the second.
            (.milliseconds(70_300), .kill("phone")),
            (.seconds(100), .start(phone)),
        ])
        let (performance, isRepeatable) = try Conductor().check(script, JointCourse(seed: 2))
        #expect(isRepeatable)
        #expect(performance.processes.map(\.name) == ["phone", "watch", "phone"])
        #expect(performance.processes[0].fate == .killed)
        #expect(performance.processes[0].span == .zero..<Duration.milliseconds(70_300))
        #expect(Players.sayings(performance.processes[0]) == ["serves, after 0", "received 0", "received 1"])
        #expect(Players.sayings(performance.processes[1]) == ["answered 0", "no answer to 1", "answered 2"])
        #expect(Players.sayings(performance.processes[2]) == ["serves, after 2", "received 2"])
        #expect(performance.failure == nil)
    }

    @Test("A file has the same number for all programs of a performance, and in each performance")
    func fileNumbers() throws {
        let places: [(name: String, file: String)] = [("phone", "a"), ("watch", "b"), ("other", "a"), ("last", "b")]
        let script = try Players.script(
            places.enumerated().map { index, place in
                (.seconds(10 * index), .start(Players.player(place.name, "number", "{world}/\(place.file)")))
            })
        let performances = try (0..<2).map { _ in try Conductor().perform(script, JointCourse(seed: 1)) }
        Players.expectSame(performances[0], performances[1])
        let numbers = performances[0].processes.flatMap { Players.sayings($0) }
        #expect(numbers.count == 4 && numbers[0] == numbers[2] && numbers[1] == numbers[3], "\(numbers)")
        #expect(Set(numbers).count == 2, "\(numbers)")
    }

    @Test("Programs of one executable have their own UserDefaults, in each performance anew, and after a restart again")
    func userDefaults() throws {
        let conductor = try Conductor()
        let names = ["phone", "a-watch-with-a-longer-name", "phone", "b"]
        let script = try Players.script(
            names.enumerated().map { index, name in
                (.seconds(10 * index), .start(Players.player(name, "count")))
            })
        for seed in 1...3 as ClosedRange<UInt64> {
            let performance = try conductor.perform(script, JointCourse(seed: seed))
            let counts = performance.processes.flatMap { Players.sayings($0) }
            #expect(counts == ["0 true", "0 true", "1 true", "0 true"], "seed \(seed): \(counts)")
        }
    }

    @Test("A program that closes all descriptors that it does not know keeps the conductor, and goes on")
    func closingAll() throws {
        let program = Players.probe("closer", "closing-all")
        let performance = try Conductor().perform(try Players.script([(.zero, .start(program))]), JointCourse(seed: 1))
        #expect(performance.processes.map(\.fate) == [.ended(.exited(code: 0))])
        #expect(performance.virtualTime >= .seconds(3))
    }

    @Test("An exit code and a trap are failures, each with its time")
    func failures() throws {
        let conductor = try Conductor()
        let script = try Players.script([
            (.zero, .start(Players.player("exit", "exit", "60", "7"))),
            (.zero, .start(Players.player("trap", "trap", "30", environment: ["SWIFT_BACKTRACE": "enable=no"]))),
            (.zero, .start(Players.player("fine", "exit", "90", "0"))),
        ])
        let performance = try conductor.perform(script, JointCourse(seed: 1))
        #expect(
            performance.processes.map(\.fate) == [
                .ended(.exited(code: 7)), .ended(.killed(signal: SIGILL)), .ended(.finished),
            ])
        #expect(performance.processes.map(\.isFailure) == [true, true, false])
        #expect(performance.processes.map { $0.span.upperBound.components.seconds } == [60, 30, 90])
        #expect(performance.virtualTime.components.seconds == 90)
    }

    @Test("A program sees a fixed environment, its own directory, and only one descriptor of the conductor")
    func surroundings() throws {
        let program = Players.player("teller", "tell", "to", "{world}/x", environment: ["OWN": "{world}/y"])
        let performance = try Conductor().perform(
            try Players.script([(.zero, .start(program))]), JointCourse(seed: 0xAB))
        let world = "/dev/shm/virtual-time-\(geteuid())/00000000000000ab"
        let lines = Players.sayings(performance.processes[0])
        #expect(lines.contains("HOME=\(world)/teller"))
        #expect(lines.contains("TMPDIR=\(world)/teller/tmp"))
        #expect(lines.contains("OWN=\(world)/y"))
        #expect(lines.contains("in \(world)/teller, to \(world)/x"))
        #expect(!lines.contains { $0.hasPrefix("VIRTUAL_TIME_") }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("USER=") }, "\(lines)")
        #expect(!FileManager.default.fileExists(atPath: world))
    }

    /// The descriptors of conductors: channels, programs, and files of worlds. All others belong to other tests.
    private static var descriptors: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) }
    }

    @Test("No processes, descriptors or directories are left over, including those of a program's children")
    func nothingLeft() async {
        // In a separate process, because other tests use descriptors and conductors at the same time.
        await #expect(processExitsWith: .success) {
            let conductor = try Conductor()
            let script = try Players.script([(.zero, .start(Players.player("parent", "child")))], end: .seconds(10))
            let first = try conductor.perform(script, JointCourse(seed: 77))
            let words = String(decoding: first.processes[0].output, as: UTF8.self).split(separator: "\n")
            let child = try #require(words.first?.split(separator: " ").last.flatMap { pid_t($0) })
            // The orphan may not have been reaped yet.
            let state = FileManager.default.contents(atPath: "/proc/\(child)/stat").map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(state == nil || state?.contains(") Z ") == true, "the program's child lives: \(state ?? "")")
            let missing = try Players.script([(.zero, .start(Program(name: "none", executable: "/nowhere/none")))])
            let before = try Self.descriptors
            for seed in 1...20 as ClosedRange<UInt64> {
                _ = try conductor.perform(script, JointCourse(seed: seed << 40))
                #expect(throws: ConductorError.self) { try conductor.perform(missing, JointCourse(seed: seed << 40)) }
            }
            // One of each set belongs to the listing itself.
            let left = try Self.descriptors.subtracting(before)
            #expect(left.count <= 1, "\(left)")
            let directory = "/dev/shm/virtual-time-\(geteuid())/0000010000000000"
            #expect(!FileManager.default.fileExists(atPath: directory))
        }
    }

    @Test(
        "A program that can never continue is deadlocked, and reports the waiting threads",
        arguments: [
            "deadlock", "deadlock-of-locks", "deadlock-of-queues", "deadlock-of-main-queue", "deadlock-of-initializers",
        ])
    func deadlock(_ construct: String) throws {
        let program = Players.probe("stuck", construct)
        let performance = try Conductor().perform(
            try Players.script([(.zero, .start(program))]), JointCourse(seed: 0xD0))
        let ending = try #require(performance.failure?.world.ending)
        guard case .deadlock(let text) = ending else {
            Issue.record("it \(ending)")
            return
        }
        #expect(text.contains(/thread \d+ waits in/), "\(text)")
        #expect(text.contains("in a cycle: ") == (construct != "deadlock"), "\(text)")
    }

    @Test("A program that other programs leave without inotify instances cannot run, which is not a finding")
    func crowdedOut() throws {
        let program = Players.probe("watcher", "file-watches", environment: ["PROBE_REFUSALS": "-1"])
        let script = try Players.script([(.zero, .start(program))])
        let error = #expect(throws: ConductorError.self) {
            try Conductor().perform(script, JointCourse(seed: 0xD2))
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("the programs could not run: "), "\(text)")
        #expect(text.contains("the user's inotify instances are used up"), "\(text)")
        #expect(text.contains("raise fs.inotify.max_user_instances (sysctl) or run fewer worlds at a time"), "\(text)")
    }

    @Test("A program whose main thread waits for events is idle, not deadlocked")
    func idle() throws {
        let program = Players.probe("idle", "idle")
        let performance = try Conductor().perform(
            try Players.script([(.zero, .start(program))]), JointCourse(seed: 0xD1))
        #expect(performance.processes.map(\.fate) == [.running])
    }

    @Test("The error for a program that cannot run in a world names it and says what to do")
    func notInWorld() throws {
        let conductor = try Conductor()
        let missing = try Players.script([(.zero, .start(Program(name: "none", executable: "/nowhere/none")))])
        let error = #expect(throws: ConductorError.self) { try conductor.perform(missing, JointCourse(seed: 0xE0)) }
        #expect(error?.description.hasPrefix("cannot start /nowhere/none in ") == true, "\(error?.description ?? "")")
        let library = #expect(throws: ConductorError.self) { try Conductor(library: "/nowhere/lib.so") }
        #expect(library?.description.contains("/nowhere/lib.so") == true, "\(library?.description ?? "")")
        // With the wrong library the program runs in real time.
        let other = try Conductor(library: "/proc/self/exe")
        let real = try Players.script([(.zero, .start(Program(name: "real", executable: "/bin/true")))])
        let unheard = #expect(throws: ConductorError.self) { try other.perform(real, JointCourse(seed: 0xE1)) }
        #expect(
            unheard?.description.hasPrefix("the program “real” never reported to the conductor") == true,
            "\(unheard?.description ?? "")")
    }

    @Test("A program that is not idle in time is killed")
    func overdue() throws {
        var conductor = try Conductor(library: "/proc/self/exe")
        conductor.limit = .milliseconds(200)
        let real = Program(name: "real", executable: "/bin/sleep", arguments: ["1000"])
        let script = try Players.script([(.zero, .start(real))])
        let error = #expect(throws: ConductorError.self) { try conductor.perform(script, JointCourse(seed: 0xE2)) }
        guard case .neverReported("real", .overdue, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
