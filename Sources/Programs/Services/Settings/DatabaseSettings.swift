import Configuration
import Foundation
import Glibc
import PostgreSQLRules
import PostgreSQLStorage
import RecordStorage

/// The place of a service's records: a file, or for a host a PostgreSQL server that many hosts share.
struct DatabaseSettings: Equatable {
    /// The path of the file; unused with a server.
    let file: String
    /// The server; nil for the file.
    let server: PostgreSQLSettings?

    /// The server's URL; nil for the file.
    var url: String? { server?.address.url }
    /// The path of the file with the server's password; nil for none.
    var passfile: String? { server?.passfile }

    /// The mode bits that make libpq ignore a passfile: those of the group and of others.
    private static let openBits: mode_t = 0o077
    /// The longest time that a query of the command line may take. Three seconds: the command line waits five for a
    /// status.
    private static let queryLimit: Duration = .seconds(3)

    /// Reads the section “database”.
    ///
    /// - Parameters:
    ///   - defaultFile: The file if the section names neither file nor server.
    ///   - path: Returns the path of a name relative to the state directory.
    ///   - host: This host's name in a shared store; nil for a companion, whose outbox is always a file.
    init(
        _ section: ConfigurationFile, defaultFile: String, path: (String) -> String, host: String?
    ) throws(ConfigurationError) {
        let given = try section.filePath("file")
        file = given.map(path) ?? defaultFile
        guard let host else {
            server = nil
            return
        }
        let passfile = try section.filePath("passfile").map(path)
        guard let url = try section.string("url") else {
            guard passfile == nil else { throw section.wrong("passfile", "belongs to a “url”; give one, or remove it") }
            server = nil
            return
        }
        guard given == nil else { throw section.wrong("url", "is given beside “file”; the records have one place") }
        guard SharedStore.isBuiltIn else { throw section.wrong("url", SharedStore.missing) }
        let address: ServerAddress
        do throws(StoreError) {
            address = try ServerAddress(url)
        } catch {
            throw section.wrong("url", error.description)
        }
        if let passfile, let reason = Self.trouble(withPassfile: passfile) { throw section.wrong("passfile", reason) }
        var server = PostgreSQLSettings(address: address, passfile: passfile, host: host)
        server.queryLimit = Self.queryLimit
        self.server = server
    }

    /// Returns the reason why libpq would not use a passfile; nil if it would.
    static func trouble(withPassfile path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return "\(path): \(String(cString: strerror(errno)))" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is not a file" }
        guard status.st_mode & openBits == 0 else {
            return "\(path) is open to other users, so libpq ignores it; run: chmod 600 \(path)"
        }
        return access(path, R_OK) == 0 ? nil : "\(path) cannot be read by this user"
    }
}
