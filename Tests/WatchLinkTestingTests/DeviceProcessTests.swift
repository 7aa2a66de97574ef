import Foundation
import Testing
import WatchLinkTesting

/// What is asked of a device's process that was never started.
@Suite("A process that does not run")
struct DeviceProcessTests {
    /// Something that a person does with a device.
    struct Demand: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (DeviceProcess) throws -> Void

        init(_ name: String, _ make: @escaping @Sendable (DeviceProcess) throws -> Void) {
            testDescription = name
            self.make = make
        }
    }

    private static func pair() throws -> ProcessPair {
        let program = URL(filePath: "/nonexistent/program")
        return try ProcessPair(phone: program, watch: program)
    }

    static let demands: [Demand] = [
        Demand("switch") { try $0.switchTo(UUID()) },
        Demand("pair") { try $0.pair(UUID()) },
        Demand("unpair") { try $0.unpair(UUID()) },
        Demand("identifier") { _ = try $0.identifier() },
        Demand("ledger") { _ = try $0.ledger() },
        Demand("suspend") { try $0.enter(.suspended) },
        Demand("wrist down") { try $0.setWristDown(true) },
        Demand("workout") { try $0.setWorkout(true) },
        Demand("uninstall") { try $0.setAppInstalled(false) },
        Demand("link down") { try $0.setLinkUp(false) },
        Demand("reboot") { try $0.reboot() },
        Demand("unlock") { try $0.unlock() },
        Demand("condition") { try $0.condition(LinkPreset.wifi.condition) },
        Demand("fault") { try $0.inject(FaultRule(.hold, .userInfo)) },
        Demand("fault at the app") { try $0.inject(AppFault(.fail(.userInfo, .transferTimedOut))) },
        Demand("disk") { try $0.setDisk(.full) },
        Demand("clear") { try $0.clearFaults() },
    ]

    @Test("It is an error to ask anything of it", arguments: demands)
    func refused(_ demand: Demand) throws {
        let pair = try Self.pair()
        #expect(throws: (any Error).self) { try demand.make(pair.phone) }
    }

    @Test("It has ended in no way and said nothing, and there is nothing to stop")
    func never() throws {
        let watch = try Self.pair().watch
        #expect(watch.hasEnded)
        #expect(watch.ending == nil)
        #expect(watch.lines == [])
        watch.kill()
        #expect(throws: Never.self) { try watch.stop() }
    }
}
