import Foundation
import Testing
import WatchLinkTesting
import XCTest

/// Tests that other tests run in a second process of this bundle, to see what becomes of their failures.
enum InnerTests {
    static let variable = "WATCHLINK_INNER_TESTS"
    static let isOn = ProcessInfo.processInfo.environment[variable] != nil

    /// Waits in vain for a user info that is out of range.
    static func waitInVain() async throws {
        let (phoneApp, watchApp) = (RecordingDelegate(), RecordingDelegate())
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.setLinkUp(false)
        pair.watch.session.transferUserInfo(["score": 3])
        try await pair.waitUntil("the score has arrived", within: .milliseconds(50)) {
            !phoneApp.all(.userInfo).isEmpty
        }
    }

    /// Runs one in a second process, with the variables, and returns its output.
    static func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging([variable: "1"]) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Runs one of Swift Testing's.
    static func run(
        named name: String, _ options: [String] = [], _ environment: [String: String] = [:]
    ) throws -> String {
        try run(["--testing-library", "swift-testing", "--filter", "InnerSuite/\(name)"] + options, environment)
    }
}

@Suite(.enabled(if: InnerTests.isOn))
struct InnerSuite {
    @Test func waitsInVain() async throws { try await InnerTests.waitInVain() }

    @Test func tellsItsDevice() {
        let configuration = WCSession.defaultConfiguration
        print("role \(configuration?.device.role.rawValue ?? "none") socket \(configuration?.socketPath ?? "none")")
    }

    @Test func takesAnotherDevice() {
        let watch = Device(identifier: UUID(), role: .companion, name: "other")
        WCSession.defaultConfiguration = DeviceConfiguration(device: watch, socketPath: "/nowhere/link")
        print("device \(WCSession.defaultConfiguration?.device.name ?? "none")")
        WCSession.defaultConfiguration = nil
        print("supported \(WCSession.isSupported())")
    }
}

final class InnerCase: XCTestCase {
    override func setUpWithError() throws { try XCTSkipUnless(InnerTests.isOn) }

    func testWaitsInVain() async throws { try await InnerTests.waitInVain() }
}
