import Foundation
import VirtualTime
public import XCTest

/// Tests of which each method runs once for each seed, in a world where time is virtual and each device is a process.
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
    /// How the tests are run.
    open var simulation: SimulationSettings { SimulationSettings() }

    /// What the test that runs declares.
    public private(set) lazy var world = SimulatedWorld(simulation)

    /// True in a process that is a device.
    private var isDevice = false
    private var hasFailed = false
    private var reasonToSkip: String?

    private var identity: TestIdentity {
        // XCTest's name is “Class.method”, and its filter takes “Module.Class/method”.
        .xctest("\(String(reflecting: type(of: self)))/\(name.split(separator: ".").last ?? "")")
    }

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

    /// XCTest lets a test skip itself, and nobody else: so it begins, and ends before its body.
    private func skip(_ reason: String) {
        reasonToSkip = reason
        super.invokeTest()
    }

    /// Skips the test where there are no worlds. Call it first where you override it.
    open override func setUpWithError() throws {
        try super.setUpWithError()
        if let reasonToSkip { throw XCTSkip(reasonToSkip) }
    }

    private func runBody() { SimulatedWorld.$declared.withValue(world) { super.invokeTest() } }

    /// In the template: serves until this process is a device, and then lives as it.
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
            // Nobody reads failures of a template.
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

    /// In a device a failure is its end, and the seed's.
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
