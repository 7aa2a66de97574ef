public import Foundation

/// The directories of a user: the XDG base directories (specifications.freedesktop.org/basedir-spec).
public enum UserDirectory {
    /// Returns the home directory.
    public static func home(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        environment["HOME"] ?? NSHomeDirectory()
    }

    /// Returns the directory for programs' persistent state: `XDG_STATE_HOME`, or `.local/state`.
    public static func state(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory("XDG_STATE_HOME", ".local/state", environment)
    }

    /// Returns the directory for configurations: `XDG_CONFIG_HOME`, or `.config`.
    public static func configuration(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory("XDG_CONFIG_HOME", ".config", environment)
    }

    /// Returns a base directory. Relative paths are ignored, as the specification requires.
    private static func directory(_ name: String, _ fallback: String, _ environment: [String: String]) -> String {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home(environment) + "/" + fallback
    }
}
