import DeviceShell
package import LinkProtocol
import VirtualTime

extension DeviceRole {
    /// Returns the variables that make the session of a program in a world this device, and connect it with its
    /// counterpart.
    ///
    /// - Parameter name: The program's name. The session stores its state in the program's directory.
    package func variables(_ name: String) -> [String: String] {
        ProgramPlace(name, self, in: Program.directoryMark).variables
    }
}
