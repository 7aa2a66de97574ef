import Foundation
import Testing
import VirtualTime

/// The test bundle, started again so that the devices of one test are copies of it.
///
/// It runs one test up to its body, with one thread. In XCTest that is how tests run. Swift Testing has its tests run by many threads; here it is
/// begun before `main`, on an executor that has one.
enum TestTemplate {
    /// The test that this process is a template for; nil in all others.
    static let test: TestIdentity? = ProcessInfo.processInfo.environment[ProcessTemplate.mark].flatMap(
        TestIdentity.init)

    /// True in the template for a test.
    static func isTemplate(for identity: TestIdentity) -> Bool { test == identity }

    /// Runs Swift Testing, and never comes back; for XCTest, `main` does that.
    static func beginBeforeMain() {
        guard case .swiftTesting = test else { return }
        Task(executorPreference: TemplateExecutor.shared) { await Testing.__swiftPMEntryPoint() as Never }
        TemplateExecutor.shared.run()
        guard World.isOn else {
            StandardError.write("the test waits for something that needs another thread, in a trait or before it\n")
            exit(EXIT_FAILURE)
        }
        liveOn()
    }

    /// Serves as template. It returns in a device, whose name is the answer.
    static func serve() throws(ConductorError) -> String {
        try ProcessTemplate.serveCopies()
        TemplateExecutor.shared.goOnInCopy()
        return URL(fileURLWithPath: FileManager.default.currentDirectoryPath).lastPathComponent
    }

    /// Gives the main thread to the main actor, for the rest of a device's life.
    static func liveOn() -> Never {
        RunLoop.main.run()
        dispatchMain()
    }
}

/// Called before `main`, if this is a template.
@_cdecl("watchlink_simulation_begin")
func beginTestTemplate() { TestTemplate.beginBeforeMain() }
