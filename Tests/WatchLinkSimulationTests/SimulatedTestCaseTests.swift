import VirtualTime
import WatchLinkSimulation
import XCTest

/// The same for XCTest.
final class SimulatedTestCaseTests: SimulatedTestCase {
    private var failures: [String] = []

    override var simulation: SimulationSettings {
        var settings = SimulationSettings()
        settings.seeds = 1...3
        return settings
    }

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        guard description.hasPrefix("Seed ") else {
            return super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
        failures.append(description)
    }

    override func invokeTest() {
        super.invokeTest()
        guard World.isAvailable else { return XCTAssertEqual(testRun?.hasBeenSkipped, true) }
        // Outside of a device, which does not come back.
        if name.hasSuffix("testFails") {
            XCTAssertEqual(failures.count, 1)
            let text = failures.first ?? ""
            XCTAssert(
                text.contains("Seed 1 of 1...3 fails: the phone failed: XCTAssertEqual failed: (\"2\") is not"), text)
            XCTAssert(text.contains("SimulatedTestCaseTests/testFails$'"), text)
        } else {
            XCTAssertEqual(failures, [])
        }
    }

    func testPasses() {
        let phone = world.device("phone") { Diary.shared.begin() }
        phone.at(.seconds(60)) { Diary.shared.write("later") }
        phone.atEnd { XCTAssertEqual(Diary.shared.writes, 2) }
    }

    func testAsynchronousPasses() async {
        let phone = world.device("phone") { Diary.shared.begin() }
        phone.atEnd { XCTAssertEqual(Diary.shared.writes, 1) }
    }

    func testFails() {
        let phone = world.device("phone") { Diary.shared.begin() }
        phone.at(.seconds(60)) { Diary.shared.write("later") }
        phone.atEnd { XCTAssertEqual(Diary.shared.writes, 3) }
    }
}
