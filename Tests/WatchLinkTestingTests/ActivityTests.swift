import Foundation
import Testing
import WatchLinkTesting

@Suite("The state of an app in its own process")
struct ActivityTests {
    /// Asks a program for the state of its app, and returns all that it has said so far.
    private func ask(_ process: DeviceProcess, _ pair: ProcessPair) async throws -> [String] {
        func said() -> [String] { process.lines.filter { $0.hasPrefix("activity ") } }
        let former = said().count
        try process.tell("activity")
        try await pair.waitUntil("the state is said") { process.lines.count { $0.hasPrefix("activity ") } > former }
        return said()
    }

    @Test("An app is shown by Apple's modules as the person uses it: active, inactive or in the background")
    func states() async throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "DeviceProgram")
        let pair = try ProcessPair(phone: program, watch: program)
        try await pair.start()
        _ = try await ask(pair.watch, pair)
        try pair.watch.setWristDown(true)
        _ = try await ask(pair.watch, pair)
        try pair.watch.setWristDown(false)
        try pair.watch.enter(.background)
        let said = try await ask(pair.watch, pair)
        #expect(said == ["activity 0", "activity 1", "activity 2"])
    }
}
