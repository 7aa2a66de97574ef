import Locking
import Processes
import WatchConnectivity

/// The device of a test bundle whose environment describes none: a phone that reaches no watch, in a scratch directory.
enum TestDevice {
    /// Kept until the process ends.
    private static let directory = Mutex<ScratchDirectory?>(nil)

    static func configuration() throws -> DeviceConfiguration {
        let scratch = try ScratchDirectory()
        directory.withLock { $0 = scratch }
        var configuration = try DeviceConfiguration(
            role: .host, socketPath: "\(scratch.path)/link", stateDirectory: "\(scratch.path)/phone", name: "phone")
        // No program needs to control it, and nothing outside of the scratch directory is touched.
        configuration.controlSocketPath = nil
        PairTimes.short.apply(to: &configuration.times)
        return configuration
    }
}

/// Called by `WatchConnectivity` if the program contains it.
@_cdecl("watchlink_test_device")
func giveTestDevice() { LinkedTestDevice.give(TestDevice.configuration) }
