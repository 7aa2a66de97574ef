import Foundation
import Testing
import VirtualTime

/// A second process of the test bundle, from which the devices of one test are copied.
///
/// It runs one test up to its body, on one thread. XCTest runs tests that way. Swift Testing uses many threads; here it
/// is started before `main`, on an executor with a single thread.
enum TestTemplate {
    /// The test for which this process is a template; nil in all others.
    static let test: TestIdentity? = ProcessInfo.processInfo.environment[ProcessTemplate.mark].flatMap(
        TestIdentity.init)

    /// Returns true in the template for a test.
    static func isTemplate(for identity: TestIdentity) -> Bool { test == identity }

    /// Runs Swift Testing, and does not return; for XCTest, `main` does that.
    static func beginBeforeMain() {
        guard case .swiftTesting = test else { return }
        #if compiler(>=6.3) && compiler(<6.4)
            TemplateMainExecutor.install()
        #endif
        Task(executorPreference: TemplateExecutor.shared) { await Testing.__swiftPMEntryPoint() as Never }
        TemplateExecutor.shared.run()
        guard World.isOn else {
            StandardError.write("the test waits for something that needs another thread, in a trait or before it\n")
            exit(EXIT_FAILURE)
        }
        liveOn()
    }

    /// Serves as a template. Returns only in a device, with its name.
    static func serve() throws(ConductorError) -> String {
        try ProcessTemplate.serveCopies()
        TemplateExecutor.shared.goOnInCopy()
        return URL(fileURLWithPath: FileManager.default.currentDirectoryPath).lastPathComponent
    }

    /// Runs the main actor on the main thread for the rest of a device's life.
    static func liveOn() -> Never {
        RunLoop.main.run()
        dispatchMain()
    }
}

/// Called before `main`; does nothing unless this is a template.
@_cdecl("watchlink_simulation_begin")
func beginTestTemplate() { TestTemplate.beginBeforeMain() }
