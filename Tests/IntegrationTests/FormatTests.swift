import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// Files and directories that released versions wrote, with today's programs: `Tests/Formats` and `Tests/Version1`.
@Suite("Formats of released versions", .serialized)
struct FormatTests {
    private static let folder = ProjectFiles.root.appending(path: "Tests/Formats").path(percentEncoded: false)

    static let versions: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.first?.isNumber == true }.sorted()

    static let configurations: [String] =
        versions.map { "Tests/Formats/\($0)" }.flatMap { ["\($0)/host.json5", "\($0)/companion.json5"] }
        + ["Tests/Version1/host.json5", "Tests/Version1/companion.json5"]

    private let bench: TestBench

    init() throws { bench = try TestBench() }

    private func copy(_ version: String, _ name: String) throws -> String {
        let copy = "\(bench.path)/\(name)"
        try FileManager.default.copyItem(atPath: "\(Self.folder)/\(version)/\(name)", toPath: copy)
        try PrivateCopy.makePrivate(copy)
        return copy
    }

    private func start(
        _ role: String, _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> BackgroundProcess {
        try BackgroundProcess(
            role, executable: TestBench.program(program), arguments: arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }, mergesOutput: true)
    }

    @Test("There is a version")
    func count() { #expect(!Self.versions.isEmpty) }

    @Test("Every setting of a configuration is still known", arguments: configurations)
    func configuration(_ path: String) throws {
        let service = path.hasSuffix("host.json5") ? "watchlink-host" : "watchlink-companion"
        let file = ProjectFiles.root.appending(path: path).path(percentEncoded: false)
        let result = try TestBench.run(service, ["--config", file, "--check"])
        #expect(result.code == 0, "\(path): \(result)")
    }

    @Test("Services deliver what waits, and keep what is stored", arguments: versions)
    func services(_ version: String) throws {
        let state = try copy(version, "services")
        let host = try start("host", "Workouts", ["host", "--state-directory", state])
        let companion = try start("companion", "Workouts", ["companion", "--state-directory", state])
        companion.expectLines(3, containing: "quiz replied")
        companion.expectLines(3, containing: "workout replied")
        host.expectLines(3, containing: "workout stored")
        let titles = try bench.titles(state: StateDirectory(option: state))
        #expect(titles == (0..<6).map { "Quiz \($0)" })
        let workouts = try bench.watchlink(
            ["records", "workouts", "count"], state: StateDirectory(option: state))
        #expect(workouts.output.contains("6"), "\(workouts)")
        let ledger = try bench.watchlink(["ledger", "host"], state: StateDirectory(option: state))
        #expect(ledger.output.split(separator: "\n").count >= 12, "\(ledger)")
    }

    @Test("Devices deliver what waits", arguments: versions)
    func devices(_ version: String) throws {
        let directories = try copy(version, "devices")
        let devices = try ["host", "companion"].map { role in
            try start(
                role, "DeviceProgram", [],
                [
                    "WATCHLINK_ROLE": role, "WATCHLINK_SOCKET": bench.path + "/link",
                    "WATCHLINK_DEVICE_STATE": "\(directories)/\(role)",
                ])
        }
        devices[0].expectLines(containing: "got context 8")
        devices[0].expectLines(containing: "got user info 9")
        devices[0].expectLines(containing: "got user info 10")
        devices[1].expectLines(containing: "did finish user info 10 ok")
    }
}
