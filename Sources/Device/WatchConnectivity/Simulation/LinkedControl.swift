import CLinkedControl
package import DeviceShell
package import EventLog
import Locking

/// The features that a program has only if it is linked with `DeviceControl`: control of its device by other programs,
/// recording, and hashing of pairing codes. Other programs contain neither a server, a recorder nor the system's password
/// hashes.
package struct LinkedControl: Sendable {
    package typealias Close = @Sendable () -> Void

    /// Makes a device controllable at a path.
    package typealias Open = @Sendable (_ device: DeviceSimulator, _ path: String, _ logger: Logger) throws -> Close

    /// Starts recording a device.
    package typealias Record =
        @Sendable (_ device: DeviceSimulator, _ order: RecordingOrder) throws
        -> any DeviceRecording

    let pairingSecrets: any PairingSecrets
    let open: Open
    let record: Record

    private static let given = Mutex<LinkedControl?>(nil)

    /// This program's features; nil if it is not linked with `DeviceControl`.
    static let ofProgram: LinkedControl? = {
        watchlink_ask_for_device_control()
        return given.withLock { $0 }
    }()

    package init(pairingSecrets: any PairingSecrets, open: @escaping Open, record: @escaping Record) {
        self.pairingSecrets = pairingSecrets
        self.open = open
        self.record = record
    }

    package static func give(_ control: LinkedControl) { given.withLock { $0 = control } }
}
