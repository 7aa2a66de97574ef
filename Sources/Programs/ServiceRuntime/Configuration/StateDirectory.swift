import Configuration
public import Foundation

/// The directory for sockets, databases and logs, shared by all three programs.
public struct StateDirectory: Sendable, Equatable {
    /// The environment variable that names the directory.
    public static let environmentVariable = "WATCHLINK_STATE_DIRECTORY"

    /// The absolute path.
    public let path: String

    /// The directory of the system's services, as `watchlink install` sets them up.
    public static let system = "/var/lib/watchlink"

    /// Finds the directory for a command: the system's directory if none was named, the user has none, and the system's
    /// exists.
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

    /// Uses the option's value, else the environment's, else the user's XDG state directory.
    public init(option: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let given = option ?? environment[Self.environmentVariable], !given.isEmpty {
            path = URL(filePath: given).standardizedFileURL.plainPath
            return
        }
        path = UserDirectory.state(environment) + "/watchlink"
    }

    /// Returns a path relative to the directory; an absolute path is returned unchanged.
    public func path(of name: String) -> String { name.hasPrefix("/") ? name : path + "/" + name }
}
