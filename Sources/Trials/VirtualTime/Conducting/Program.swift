/// A program that takes part in a performance, as a device or a service of its own.
public struct Program: Hashable, Sendable {
    /// In the arguments and the environment's values this stands for the path of the directory that all programs of the performance share, for
    /// a socket, say. Each works in a directory of its own in it, which has its name.
    public static let directoryMark = "{world}"

    /// The name of its role, and of its directory.
    public let name: String
    /// The path of the executable. It needs nothing of this library: it gets it by preloading.
    public let executable: String
    public let arguments: [String]
    /// Variables beside those that each program gets: `HOME`, `TMPDIR`, `PATH`, `LANG`, `TZ`.
    public let environment: [String: String]

    public init(
        name: String, executable: String, arguments: [String] = [], environment: [String: String] = [:]
    ) {
        (self.name, self.executable, self.arguments) = (name, executable, arguments)
        self.environment = environment
    }
}
