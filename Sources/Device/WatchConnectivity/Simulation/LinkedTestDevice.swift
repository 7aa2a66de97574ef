import CLinkedControl
import Locking

/// The device of a program that is linked with `WatchLinkTesting` and whose environment describes none: code under test
/// that asks for `WCSession.isSupported()` then runs as it does on a device.
package enum LinkedTestDevice {
    package typealias Make = @Sendable () throws -> DeviceConfiguration

    private static let given = Mutex<Make?>(nil)

    /// Returns the configuration of this program's device; nil if it is not linked with `WatchLinkTesting`.
    static func configuration() throws -> DeviceConfiguration? {
        watchlink_ask_for_test_device()
        return try given.withLock { $0 }?()
    }

    package static func give(_ make: @escaping Make) { given.withLock { $0 = make } }
}
