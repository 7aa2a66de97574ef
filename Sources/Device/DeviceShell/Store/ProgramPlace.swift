import CPrintedLines
package import Homes
package import LinkProtocol

/// The files and variables of a program that is one of several devices in a directory.
package struct ProgramPlace: Sendable {
    /// The device's name: “phone”, “watch”, “watch2” …
    package let name: String
    package let role: DeviceRole
    /// The directory of all devices.
    package let directory: String

    /// Creates the place of the device with this name.
    package init(_ name: String, _ role: DeviceRole, in directory: String) {
        (self.name, self.role, self.directory) = (name, role, directory)
    }

    /// The home of the device's programs, also their working directory where they are given one.
    package var home: ProgramHome { ProgramHome("\(directory)/\(name)") }
    /// The directory of the session.
    package var state: DeviceDirectory { DeviceDirectory("\(home.path)/state") }
    /// The socket that connects the devices.
    package var linkSocket: String { "\(directory)/link" }

    /// The variables that make a program's session this device and connect it with its counterpart, that give the
    /// program the device's home, and that let each line that it prints arrive at once.
    package var variables: [String: String] {
        home.variables.merging([
            "WATCHLINK_ROLE": role.rawValue, "WATCHLINK_SOCKET": linkSocket, "WATCHLINK_DEVICE_STATE": state.path,
            WATCHLINK_PRINTED_LINES: "1",
        ]) { $1 }
    }
}
