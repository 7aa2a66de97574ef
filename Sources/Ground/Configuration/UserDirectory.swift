public import Foundation

/// Where a user keeps things: the XDG base directories (specifications.freedesktop.org/basedir-spec).
public enum UserDirectory {
    public static func home(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        environment["HOME"] ?? NSHomeDirectory()
    }

    /// What a program has to remember.
    public static func state(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory("XDG_STATE_HOME", ".local/state", environment)
    }

    public static func configuration(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory("XDG_CONFIG_HOME", ".config", environment)
    }

    /// The specification has relative paths ignored.
    private static func directory(_ name: String, _ fallback: String, _ environment: [String: String]) -> String {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home(environment) + "/" + fallback
    }
}
