import Foundation
import Testing
import WatchLinkSimulation

/// Traits that keep a test bundle from becoming the template of a test's devices.
@Suite("Templates that fail")
struct TemplateFailureTests {
    @Test(
        "A thread that is started before the body",
        .fails("did not reach this test", "start no thread before it is copied"),
        Early { Thread.detachNewThread { Thread.sleep(forTimeInterval: 60) } }, .simulated(seeds: 1...1))
    func thread() throws { try SimulatedWorld.current.device("phone") {} }

    @Test(
        "A wait for another thread before the body",
        .fails("did not reach this test", "the test waits for something that needs another thread"),
        Early {
            // Longer than the template's other jobs take, however busy the machine is.
            if isTemplate { try await Task.sleep(for: .seconds(3_600)) }
        }, .simulated(seeds: 1...1))
    func wait() throws { try SimulatedWorld.current.device("phone") {} }

    @Test(
        "An end before the body", .fails("did not reach this test", "no more"),
        Early {
            guard isTemplate else { return }
            FileHandle.standardError.write(Data("no more\n".utf8))
            exit(3)
        }, .simulated(seeds: 1...1))
    func end() throws { try SimulatedWorld.current.device("phone") {} }
}

/// True in the second process of this bundle from which devices are copied.
private let isTemplate = ProcessInfo.processInfo.environment["VIRTUAL_TIME_TEMPLATE"] != nil

/// Does something before a test's other traits have their turn.
private struct Early: TestTrait, TestScoping {
    let action: @Sendable () async throws -> Void

    init(_ action: @escaping @Sendable () async throws -> Void) { self.action = action }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await action()
        try await function()
    }
}
