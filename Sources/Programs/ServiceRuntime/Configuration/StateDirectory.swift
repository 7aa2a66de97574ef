import Configuration
public import Foundation

/// The directory under which sockets, databases and logs lie, the same for all three programs.
public struct StateDirectory: Sendable, Equatable {
    public static let environmentVariable = "WATCHLINK_STATE_DIRECTORY"

    public let path: String

    /// Where the services lie that `watchlink install` gives to the whole machine.
    public static let system = "/var/lib/watchlink"

    /// As a command means it: the system's directory where nobody named one, the user has none, and there is that one.
    public init(
        ofCommand option: String?, environment: [String: String] = ProcessInfo.processInfo.environment,
        system: String = Self.system
    ) {
        self.init(option: option, environment: environment)
        guard path == UserDirectory.state(environment) + "/watchlink", !FileManager.default.fileExists(atPath: path),
            FileManager.default.fileExists(atPath: system)
        else { return }
        self = StateDirectory(option: system)
    }

    /// The option's value, else the environment's, else the user's XDG state directory.
    public init(option: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let given = option ?? environment[Self.environmentVariable], !given.isEmpty {
            path = URL(filePath: given).standardizedFileURL.plainPath
            return
        }
        path = UserDirectory.state(environment) + "/watchlink"
    }

    /// A path inside of the directory, unless it is absolute.
    public func path(of name: String) -> String { name.hasPrefix("/") ? name : path + "/" + name }
}
