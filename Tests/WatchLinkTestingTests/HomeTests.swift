import Foundation
import Testing
import WatchLinkTesting

/// The home that each device of a pair has, and what its UserDefaults outlive.
@Suite("Homes of devices", .serialized)
struct HomeTests {
    private static func pair() throws -> ProcessPair {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "DeviceProgram")
        return try ProcessPair(phone: program, watch: program)
    }

    /// Asks a program for the number in its UserDefaults.
    private static func expectKept(_ number: Int, _ process: DeviceProcess, _ pair: ProcessPair) async throws {
        try process.tell("kept")
        try await pair.waitUntil("the number is said") { process.lines.contains { $0.hasPrefix("kept ") } }
        let said = process.lines.filter { $0.hasPrefix("kept ") }
        #expect(said == ["kept \(number)"])
    }

    @Test("The phone and the watch have separate documents and temporary files, which are not the user's")
    func homes() async throws {
        let pair = try Self.pair()
        try await pair.start()
        for process in [pair.phone, pair.watch] {
            try process.tell("home")
            try await pair.waitUntil("it names its home") { process.lines.contains { $0.hasPrefix("home ") } }
            let home = process.home.path
            #expect(process.lines.contains("home \(home) \(home)/Documents \(home)/tmp/"))
            for room in ["Documents", "Library/Caches", "tmp"] {
                #expect(FileManager.default.fileExists(atPath: "\(home)/\(room)"), "\(room)")
            }
        }
        let (phone, watch) = (pair.phone.home, pair.watch.home)
        #expect(phone != watch)
    }

    @Test("What a device has before any program runs is where Foundation says that it is, and nothing else")
    func rooms() async throws {
        let pair = try Self.pair()
        try await pair.phone.start()
        try pair.phone.tell("rooms")
        try await pair.waitUntil("it names them") { pair.phone.lines.contains { $0.hasPrefix("rooms ") } }
        let home = pair.phone.home.path
        #expect(pair.phone.lines.contains("rooms \(home)/Documents \(home)/.cache \(home)/tmp/"), "\(pair.phone.lines)")
        for room in ["Library/Application Support", ".local/share"] {
            #expect(!FileManager.default.fileExists(atPath: "\(home)/\(room)"), "\(room)")
        }
    }

    @Test("A line that a program prints arrives while it runs, though its output is a pipe")
    func printed() async throws {
        let pair = try Self.pair()
        try await pair.phone.start()
        try pair.phone.tell("print as on a console")
        try await pair.waitUntil("the line arrives") { pair.phone.lines.contains("as on a console") }
    }

    @Test("UserDefaults that a delegate sets survive SIGKILL once its call has returned, on its device alone")
    func killed() async throws {
        let pair = try Self.pair()
        try await pair.start()
        try pair.phone.tell("keep 7")
        try await pair.waitUntil("the call has returned") {
            guard let call = pair.watch.lines.firstIndex(of: "got user info 7") else { return false }
            return pair.watch.lines[call...].contains { $0.contains("delegate queue idle") }
        }
        try await pair.watch.restart()
        try await Self.expectKept(7, pair.watch, pair)
        try await Self.expectKept(0, pair.phone, pair)
    }

    @Test("UserDefaults that a program sets anywhere survive its orderly end, and it still ends by the signal")
    func ended() async throws {
        let pair = try Self.pair()
        try await pair.phone.start()
        try pair.phone.tell("set 5")
        try await pair.waitUntil("it is set") { pair.phone.lines.contains("set 5") }
        try pair.phone.stop()
        #expect(pair.phone.ending == .signal(SIGTERM))
        try await pair.phone.start()
        try await Self.expectKept(5, pair.phone, pair)
        try pair.phone.tell("set 6")
        try pair.phone.tell("exit 3")
        try await pair.waitUntil("it has ended") { pair.phone.hasEnded }
        #expect(pair.phone.ending == .exit(3))
        try await pair.phone.start()
        try await Self.expectKept(6, pair.phone, pair)
    }
}
