package import LinkProtocol
import VirtualTime

extension DeviceRole {
    /// Variables by which the session of a program in a world is this device, and finds its counterpart.
    ///
    /// - Parameter name: The program's, in whose directory the session keeps what it must.
    package func variables(_ name: String) -> [String: String] {
        [
            "WATCHLINK_ROLE": rawValue, "WATCHLINK_SOCKET": "\(Program.directoryMark)/link",
            "WATCHLINK_DEVICE_STATE": "\(Program.directoryMark)/\(name)/state",
        ]
    }
}
