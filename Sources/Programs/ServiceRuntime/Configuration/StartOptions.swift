import Configuration
import Files
import Foundation

/// What a service was started with beside its directory, where it keeps that: whoever starts it again wants the same.
public struct StartOptions: Sendable {
    /// Options that are kept: those that change what a service does.
    private static let names = ["config", "log-level", "log-format", "log-file"]

    private let path: String

    public init(of service: String, in state: StateDirectory) { path = state.options(of: service) }

    /// As a command line has them; none for a service that never ran, or ran with its defaults.
    ///
    /// - Throws: Why what is kept cannot be read.
    public func words() throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try JSONDecoder().decode([String].self, from: try Data(contentsOf: URL(filePath: path)))
    }

    /// Keeps them. A file that says the same already is not touched.
    public func keep(_ options: ParsedOptions) throws {
        let words = Self.names.flatMap { name in
            options[name].map { ["--\(name)", name == "config" ? Self.absolute($0) : $0] } ?? []
        }
        // What cannot be read is written anew.
        guard (try? self.words()) != words else { return }
        let content = Data(try JSONValue.array(words.map { .string($0) }).text().utf8)
        try DurableDirectory(of: path).write(content, to: URL(filePath: path).lastPathComponent)
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }
}
