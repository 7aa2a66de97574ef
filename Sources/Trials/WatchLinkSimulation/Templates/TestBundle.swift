import Foundation
import VirtualTime

/// The executable that contains all tests.
enum TestBundle {
    static var executable: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    }

    /// Returns the bundle as a program that runs one test's device or template.
    static func program(_ name: String, _ test: TestIdentity, _ environment: [String: String]) -> Program {
        // Swift's backtracer takes seconds of real time, and needs resources that a world does not have.
        Program(
            name: name, executable: executable, arguments: test.arguments,
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own })
    }
}
