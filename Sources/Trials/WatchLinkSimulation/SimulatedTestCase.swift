import Foundation
import VirtualTime
public import XCTest

/// A test case whose methods run once for each seed, in a world with virtual time where each device is a process.
///
/// ```swift
/// final class PointsTests: SimulatedTestCase {
///     override var simulation: SimulationSettings { … }
///
///     func testNothingIsLost() {
///         let phone = world.phone { PhoneApp.start() }
///         …
///     }
/// }
/// ```
open class SimulatedTestCase: XCTestCase {
    /// The settings of the tests; override to change them.
    open var simulation: SimulationSettings { SimulationSettings() }

    /// The declarations of the running test.
    public private(set) lazy var world = SimulatedWorld(simulation)

    /// True in a device's process.
    private var isDevice = false
    private var hasFailed = false
    private var reasonToSkip: String?

    private var identity: TestIdentity {
        // XCTest's name is “Class.method”, and its filter takes “Module.Class/method”.
        .xctest("\(String(reflecting: type(of: self)))/\(name.split(separator: ".").last ?? "")")
    }

    /// Runs the body to collect the declarations, and then all worlds; in a template, runs a device instead.
    open override func invokeTest() {
        guard World.isAvailable else {
            return skip("Worlds do not exist under the thread sanitizer.")
        }
        world = SimulatedWorld(simulation)
        if TestTemplate.isTemplate(for: identity) {
            live()
        } else if TestTemplate.test == nil {
            runBody()
            if !hasFailed { explore() }
        }
    }

    /// Skips the test. XCTest lets only a running test skip itself, so it is started and skipped before its body.
    private func skip(_ reason: String) {
        reasonToSkip = reason
        super.invokeTest()
    }

    /// Skips the test where worlds are not available. An override must call it first.
    open override func setUpWithError() throws {
        try super.setUpWithError()
        if let reasonToSkip { throw XCTSkip(reasonToSkip) }
    }

    private func runBody() { SimulatedWorld.$declared.withValue(world) { super.invokeTest() } }

    /// In the template: serves until this process becomes a device, and then runs the device.
    private func live() -> Never {
        do throws(ConductorError) {
            let device = try TestTemplate.serve()
            isDevice = true
            runBody()
            do {
                try DeviceLife(world, device).begin()
            } catch {
                DeviceLife.fail("\(error)")
            }
        } catch {
            // Failures of a template are not collected.
            StandardError.write("\(error)\n")
            exit(EXIT_FAILURE)
        }
        TestTemplate.liveOn()
    }

    private func explore() {
        do {
            let environment = ProcessInfo.processInfo.environment
            let settings = try simulation.following(environment)
            let plan = try SimulationPlan(world, identity, settings)
            let report: SimulationReport
            if let path = environment[SimulationSettings.replayVariable] {
                let finding = try Finding(path: path)
                guard finding.isOf(identity) else {
                    return skip("\(SimulationSettings.replayVariable) is a finding of another test.")
                }
                report = try SimulationRun(identity, plan, settings).replay(finding)
            } else {
                report = try SimulationRun(identity, plan, settings).run()
            }
            tell(report, settings)
        } catch {
            fail("\(error)")
        }
    }

    private func tell(_ report: SimulationReport, _ settings: SimulationSettings) {
        for note in report.notes { StandardError.write("\(note)\n") }
        for failed in report.failed { fail(failed.text) }
        for name in report.unreached { fail(report.text(unreached: name, of: settings)) }
        if let error = report.error { fail("\(error)") }
    }

    private func fail(_ text: String) {
        recordFailure(withDescription: text, inFile: "\(type(of: self))", atLine: 0, expected: true)
    }

    /// Records a failure; in a device it ends the device and the seed.
    open override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        hasFailed = true
        guard isDevice else {
            return super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
        DeviceLife.fail("\(description) (\(URL(fileURLWithPath: filePath).lastPathComponent):\(lineNumber))")
    }
}
