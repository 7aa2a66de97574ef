import Foundation
import Testing
import WatchLinkTesting

/// A client of the Swift 6 language mode as a real process: what ends it on a device ends it here, in the same way.
@Suite("Isolation", .serialized)
struct IsolationTests {
    private static func pair() throws -> ProcessPair {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return try ProcessPair(
            phone: folder.appending(path: "DeviceProgram"), watch: folder.appending(path: "IsolationProgram"),
            // A picture of the crash takes seconds, and says nothing that is looked for here.
            environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    private static let assumption = "Incorrect actor executor assumption"

    @Test("A closure of an actor's ends the program, with the actor's name")
    func actor() async throws {
        let pair = try Self.pair()
        try await pair.start()
        try pair.watch.tell("actor")
        try await pair.waitUntil("the program has ended") { pair.watch.ending != nil }
        #expect(pair.watch.ending == .signal(SIGABRT))
        try await pair.waitUntil("it has said why") {
            pair.watch.lines.contains { $0.contains(Self.assumption) && $0.contains("Courier") }
        }
        #expect(!pair.watch.lines.contains("answered"))
    }

    @Test("A closure of the main actor's ends the program without a word", arguments: ["main", "main-data"])
    func mainActor(_ form: String) async throws {
        let pair = try Self.pair()
        try await pair.start()
        try pair.watch.tell(form)
        try await pair.waitUntil("the program has ended") { pair.watch.ending != nil }
        #expect(pair.watch.ending == .signal(SIGILL))
        #expect(pair.watch.lines.filter { $0 == "answered" || $0.contains(Self.assumption) } == [])
    }

    @Test(
        "The repaired forms end well",
        arguments: ["actor-sendable", "actor-hop", "actor-nonisolated", "main-hop", "main-nonisolated"])
    func repaired(_ form: String) async throws {
        let pair = try Self.pair()
        try await pair.start()
        try pair.watch.tell(form)
        try await pair.waitUntil("the message is answered") {
            pair.watch.lines.contains("answered") || pair.watch.ending != nil
        }
        #expect(pair.watch.ending == nil)
        try pair.watch.stop()
    }
}
