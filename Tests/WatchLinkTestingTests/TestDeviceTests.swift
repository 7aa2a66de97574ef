import Foundation
import TestSupport
import Testing

@testable import WatchLinkTesting

@Suite("The device of a test bundle")
struct TestDeviceTests {
    @Test("Code under test finds a session that is supported, in a scratch directory, without a control socket")
    func supported() throws {
        let configuration = try #require(WCSession.defaultConfiguration)
        #expect(WCSession.isSupported())
        #expect(configuration.device.role == .host)
        #expect(configuration.controlSocketPath == nil)
        #expect(configuration.times.reply == PairTimes.short.reply)
        let scratch = FileManager.default.temporaryDirectory.appending(path: "wl-").path(percentEncoded: false)
        for path in [configuration.socketPath, configuration.stateDirectory] {
            #expect(path.hasPrefix(scratch), "\(path)")
        }
        // The directory is kept as long as its lock is.
        let lock = URL(filePath: configuration.socketPath).deletingLastPathComponent().appending(path: ".in-use").path
        #expect(FileManager.default.fileExists(atPath: lock), "\(lock)")
    }

    @Test("Its session is activated and reaches nobody")
    func harmless() async throws {
        let app = RecordingDelegate()
        let session = WCSession.default
        session.delegate = app
        session.activate()
        let activation = try await app.next(.activation)
        #expect(activation.state == .activated)
        #expect(activation.error == nil)
        #expect(!session.isReachable)
    }

    @Test("A program that is neither linked with the kit nor described by its environment is no device")
    func unlinked() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = try TestPrograms.program("PlainProgram")
        process.arguments = ["supported"]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: data, as: UTF8.self) == "supported false\n")
    }

    @Test("The environment wins")
    func environment() throws {
        let scratch = try Scratch()
        let socket = scratch.path("link")
        let output = try InnerTests.run(
            named: "tellsItsDevice", [], ["WATCHLINK_ROLE": "companion", "WATCHLINK_SOCKET": socket])
        let isOwn = output.contains("role companion socket \(socket)\n")
        #expect(isOwn, "\(output)")
        let plain = try InnerTests.run(named: "tellsItsDevice")
        let isKit = plain.contains("role host socket ")
        #expect(isKit, "\(plain)")
    }

    @Test("A program may describe its device itself, or that it is none")
    func given() throws {
        let output = try InnerTests.run(named: "takesAnotherDevice")
        let isGiven = output.contains("device other\n")
        #expect(isGiven, "\(output)")
        let isNone = output.contains("supported false\n")
        #expect(isNone, "\(output)")
    }
}
