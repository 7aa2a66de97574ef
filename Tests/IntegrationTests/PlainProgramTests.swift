import Foundation
import Processes
import Testing
import VirtualTime

/// Programs that import `WatchConnectivity` and nothing else.
@Suite("Apps without optional products")
struct PlainProgramTests {
    private static let plain = TestBench.program("PlainProgram")
    private static let advice = "add that product of the package WatchLink to its target's dependencies"

    private let bench: TestBench
    init() throws { bench = try TestBench() }

    private func start(
        _ role: String, _ words: [String] = [], _ environment: [String: String] = [:]
    ) throws
        -> BackgroundProcess
    {
        let variables = [
            "WATCHLINK_ROLE": role, "WATCHLINK_SOCKET": bench.path + "/link", "WATCHLINK_LOG_LEVEL": "debug",
        ].merging(environment) { $1 }
        return try BackgroundProcess(
            role, executable: Self.plain, arguments: words,
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, mergesOutput: true)
    }

    /// Returns those that a program's file contains: names of modules, as symbols have them, and needed libraries.
    private static func parts(of program: String) throws -> [String] {
        let file = try Data(contentsOf: TestBench.program(program), options: .alwaysMapped)
        return ["17WatchConnectivity", "13ControlSocket", "13DeviceControl", "14ServiceRuntime", "libcrypt.so"]
            .filter { file.range(of: Data($0.utf8)) != nil }
    }

    @Test(
        "An app contains no control server, no service options and no crypt(3) unless it links them"
    )
    func parts() throws {
        let plain = try Self.parts(of: "PlainProgram")
        #expect(plain == ["17WatchConnectivity"])
        let device = try Self.parts(of: "DeviceProgram")
        #expect(device == ["17WatchConnectivity", "13ControlSocket", "13DeviceControl", "libcrypt.so"])
        let service = try Self.parts(of: "watchlink-host")
        #expect(service.contains("14ServiceRuntime"))
    }

    @Test("It reports what it needs before it can be controlled, and so does the client")
    func advice() throws {
        let phone = try start("host")
        // The program must report this before it is used.
        phone.expectLines(containing: "session activated")
        let missing = phone.lines.filter { $0.contains("control missing") }
        #expect(missing.count == 1, "\(phone.lines)")
        #expect(missing.filter { !$0.contains(Self.advice) } == [])
        #expect(!phone.lines.contains { $0.contains("control listening") }, "\(phone.lines)")
        let socket = bench.path + "/link.host/control.sock"
        let answer = try bench.watchlink(["device", "--control", socket, "host"])
        #expect(answer.code == 7, "\(answer.errors)")
        #expect(answer.errors.contains("linked with the product DeviceControl"), "\(answer.errors)")
    }

    @Test("A phone that requires pairing codes rejects all watches, says why, and creates no code")
    func pairingCode() throws {
        let file = try bench.write(
            "phone.json5",
            "{ device: { role: 'host' }, link: { socket: '\(bench.path)/link' }, companions: { pairing: 'code' } }")
        let phone = try start("host", ["make-code"], ["WATCHLINK_CONFIGURATION": file])
        phone.expectLines(containing: "no code: this program is not linked")
        let watch = try start("companion", [], ["WATCHLINK_PAIRING_CODE": "12345678"])
        watch.expectLines(containing: "it must show the code")
        phone.expectLines(containing: "pairing code refused")
        let refused = phone.lines.filter { $0.contains("pairing code refused") }
        #expect(refused.filter { !$0.contains(Self.advice) } == [])
    }

    @Test(
        "A scenario that controls it ends immediately, and names what it needs",
        arguments: ["do: 'device', action: 'background'", "do: 'settle'"])
    func scenario(_ step: String) throws {
        let file = try bench.write(
            "s.json5", "{ name: 'x', steps: [{ at: 0.1, on: 'phone', \(step) }] }")
        let program = Self.plain.path(percentEncoded: false)
        let kinds = World.isAvailable ? [[], ["--virtual"]] : [[]]
        for kind in kinds {
            let result = try bench.watchlink(
                ["scenario", "run"] + kind + [file, "--phone", program, "--watch", program])
            #expect(result.code == 1, "\(kind): \(result.output)\(result.errors)")
            #expect(result.output.contains("cannot be controlled"), "\(kind): \(result.output)\(result.errors)")
            #expect(result.output.contains(Self.advice), "\(kind): \(result.output)\(result.errors)")
        }
    }

    @Test(
        "An exploration with a scenario that controls it says so once, and finds nothing",
        .enabled(if: World.isAvailable))
    func exploredScenario() throws {
        let file = try bench.write(
            "s.json5", "{ name: 'x', steps: [{ at: 0.1, on: 'phone', do: 'device', action: 'background' }] }")
        let program = Self.plain.path(percentEncoded: false)
        let result = try bench.watchlink(
            ["explore", "--phone", program, "--watch", program, "--script", file, "--seeds", "1...3", "--jobs", "1"])
        #expect(result.code == 1, "\(result.output)\(result.errors)")
        #expect(result.errors.contains("the scenario cannot be performed: "), "\(result.output)\(result.errors)")
        #expect(result.errors.contains(Self.advice), "\(result.output)\(result.errors)")
        #expect(!result.output.contains("seed 1"), "\(result.output)")
    }
}
