import Foundation
import Testing
import VirtualTime

/// The commands of an issue, and of the environment, given to the bundle itself.
@Suite("Simulated tests, again", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ReplayTests {
    /// Runs tests of this bundle in a process of their own.
    ///
    /// - Returns: What it wrote.
    private func run(_ filter: String, _ variables: [String: String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", filter]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    @Test("A finding's world comes again by its file, and tests of which it is not are skipped")
    func replay() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "wl-findings-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: directory) } }
        let path = directory.path(percentEncoded: false)
        let found = try await run("SimulationTraitTests/(lostUpdate|trap)", ["WATCHLINK_FINDINGS": path])
        #expect(found.contains("Test run with 2 tests in 1 suite passed"), "\(found)")
        let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }
        #expect(files.count == 2)
        for file in files {
            // Each test expects the text of its first issue, and gets that of the finding.
            let again = try await run(
                "SimulationTraitTests/(lostUpdate|trap)", ["WATCHLINK_REPLAY": "\(path)/\(file)"])
            let isTrap = again.contains("again: the watch ended by signal 4")
            let isLoss = again.contains(/again: the \w+ failed: [^\n]*points are lost/)
            #expect(isTrap != isLoss, "\(again)")
            #expect(again.contains("is a finding of another test"), "\(again)")
        }
    }

    @Test(
        "Wrong words of the environment are told, with those that are right",
        arguments: [
            ("WATCHLINK_SEEDS", "9...1", "use a range of numbers such as 1...1000"),
            ("WATCHLINK_SEEDS", "many", "use a range of numbers such as 1...1000"),
            ("WATCHLINK_REPLAY", "/nowhere", "cannot read /nowhere"),
        ])
    func wrongWords(_ name: String, _ value: String, _ complaint: String) async throws {
        let output = try await run("SimulationTraitTests/correctPair", [name: value])
        #expect(output.contains(complaint), "\(output)")
        #expect(output.contains("with 1 issue"), "\(output)")
    }

    @Test("The environment's seeds take the place of the test's own")
    func seeds() async throws {
        let output = try await run("SimulationTraitTests/sometimes", ["WATCHLINK_SEEDS": "7...8"])
        #expect(output.contains("was not reached by any of the 2 seeds 7...8"), "\(output)")
    }
}
