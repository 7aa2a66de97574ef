/// A program that takes part in a performance, as a separate device or service.
public struct Program: Hashable, Sendable {
    /// The placeholder, in arguments and in values of the environment, for the path of the directory that all programs
    /// of the performance share, for example for a socket. Each program works in a subdirectory with its own name.
    public static let directoryMark = "{world}"

    /// The name of its role, and of its directory.
    public let name: String
    /// The path of the executable. It need not be linked with this library, which it preloads.
    public let executable: String
    /// The arguments, without the program's name.
    public let arguments: [String]
    /// Variables in addition to those that each program gets: `PATH`, `LANG`, `TZ`, and those that make its
    /// directory its home, such as `HOME` and `TMPDIR`.
    public let environment: [String: String]

    /// Creates a program.
    public init(
        name: String, executable: String, arguments: [String] = [], environment: [String: String] = [:]
    ) {
        (self.name, self.executable, self.arguments) = (name, executable, arguments)
        self.environment = environment
    }
}
