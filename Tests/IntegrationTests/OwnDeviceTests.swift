import Foundation
import Processes
import Testing

/// Tests of the command line with programs that use the session themselves.
@Suite("The user's own devices")
struct OwnDeviceTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    private func start(_ role: String, in directory: String) throws -> BackgroundProcess {
        let variables = [
            "WATCHLINK_ROLE": role, "WATCHLINK_SOCKET": bench.path + "/link", "WATCHLINK_DEVICE_STATE": directory,
            "WATCHLINK_LOG_LEVEL": "debug",
        ]
        return try BackgroundProcess(
            role, executable: TestBench.program("DeviceProgram"), arguments: [],
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, mergesOutput: true)
    }

    @Test(
        "A timeline finds the ledger in a device's own directory, whatever its name",
        arguments: [("companion", "host"), ("my watch", "my phone"), ("a", "b")])
    func timeline(_ watchName: String, _ phoneName: String) throws {
        let directories = [watchName, phoneName].map { bench.path + "/" + $0 }
        let phone = try start("host", in: directories[1])
        let watch = try start("companion", in: directories[0])
        watch.expectLines(containing: "reachable=true")
        try watch.write("message 1\n")
        watch.expectLines(containing: "got reply 1")
        try phone.write("info 7\n")
        watch.expectLines(containing: "got user info 7")
        // While they run, and afterwards; for each alone, and for both.
        for isRunning in [true, false] {
            if !isRunning {
                for process in [watch, phone] { #expect(process.stop(within: TestBench.limit) != nil) }
            }
            for words in [[directories[0]], [directories[1]], directories] {
                let page = try bench.watchlink(["timeline"] + words)
                #expect(page.code == 0, "\(words): \(page.errors)")
                #expect(page.output.contains("<h1>2 packages, "), "\(words): \(page.errors)")
            }
        }
    }

    @Test("A directory without a ledger is reported as such")
    func empty() throws {
        let directory = bench.path + "/empty"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let result = try bench.watchlink(["timeline", directory])
        #expect(result.code != 0, "\(result)")
        #expect(result.errors.contains("no logs or ledgers found in \(directory)"))
    }
}
