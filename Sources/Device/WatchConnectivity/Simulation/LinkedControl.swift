import CLinkedControl
package import DeviceShell
package import EventLog
import Locking

/// Abilities that a program has only if it is linked with `DeviceControl`: to let others than its app reach its device, and to hash
/// pairing codes. An app that does not ask for them has neither a server nor the system's password hashes in it.
package struct LinkedControl: Sendable {
    package typealias Close = @Sendable () -> Void

    /// Lets others reach a device at a path.
    package typealias Open = @Sendable (_ device: DeviceSimulator, _ path: String, _ logger: Logger) throws -> Close

    let pairingSecrets: any PairingSecrets
    let open: Open

    private static let given = Mutex<LinkedControl?>(nil)

    /// This program's abilities; nil if it is not linked with them.
    static let ofProgram: LinkedControl? = {
        watchlink_ask_for_device_control()
        return given.withLock { $0 }
    }()

    package init(pairingSecrets: any PairingSecrets, open: @escaping Open) {
        self.pairingSecrets = pairingSecrets
        self.open = open
    }

    package static func give(_ control: LinkedControl) { given.withLock { $0 = control } }
}
