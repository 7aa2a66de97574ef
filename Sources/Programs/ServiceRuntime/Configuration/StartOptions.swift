import Configuration
import Files
import Foundation

/// The options that a service was last started with, kept in its state directory so that a restart can use the same.
public struct StartOptions: Sendable {
    /// The options that are kept: those that change what a service does.
    private static let names = ["config", "log-level", "log-format", "log-file"]

    private let path: String

    /// Creates the options of the service with this role.
    public init(of service: String, in state: StateDirectory) { path = state.options(of: service) }

    /// Returns the kept options as command-line arguments; empty for a service that never ran or ran with its defaults.
    ///
    /// - Throws: An error if the file cannot be read or decoded.
    public func words() throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try JSONDecoder().decode([String].self, from: try Data(contentsOf: URL(filePath: path)))
    }

    /// Stores the options. A file that already has the same content is not written.
    public func keep(_ options: ParsedOptions) throws {
        let words = Self.names.flatMap { name in
            options[name].map { ["--\(name)", name == "config" ? Self.absolute($0) : $0] } ?? []
        }
        // An unreadable file is replaced.
        guard (try? self.words()) != words else { return }
        let content = Data(try JSONValue.array(words.map { .string($0) }).text().utf8)
        try DurableDirectory(of: path).write(content, to: URL(filePath: path).lastPathComponent)
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }
}
