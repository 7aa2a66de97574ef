import Foundation
import VirtualTime

/// The executable with all tests.
enum TestBundle {
    static var executable: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    }

    /// The bundle as one test's device, or as its template.
    static func program(_ name: String, _ test: TestIdentity, _ environment: [String: String]) -> Program {
        // Swift's reporter of crashes takes some seconds of real time, and needs what is not in a world.
        Program(
            name: name, executable: executable, arguments: test.arguments,
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own })
    }
}
