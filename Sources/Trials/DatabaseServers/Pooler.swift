import Foundation
import Glibc
import Processes

/// PgBouncer in transaction mode before a server.
package final class Pooler: Sendable {
    /// The number of the server's sessions that all clients share: few, so that statements meet another's session.
    private static let sessions = 4

    private let process: BackgroundProcess
    package let sockets: String

    /// The path of the program; nil if it is not installed.
    package static var program: String? { ProgramSearch.find("pgbouncer") }

    /// Starts the pooler.
    package init(_ program: String, before server: LocalServer) throws {
        sockets = "\(server.scratch.path)/pooler"
        guard mkdir(sockets, 0o755) == 0 else { throw SetUpError(.failure, "mkdir \(sockets) failed") }
        let settings = """
            [databases]
            postgres = host=\(server.sockets) port=\(server.port) dbname=postgres user=watchlink
            [pgbouncer]
            listen_addr =
            listen_port = \(LocalServer.socketPort)
            unix_socket_dir = \(sockets)
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(Self.sessions)
            max_client_conn = 500
            server_login_retry = 1
            """
        let file = "\(sockets)/pgbouncer.ini"
        try settings.write(toFile: file, atomically: true, encoding: .utf8)
        if let user = server.user, chown(sockets, user.number, user.group) != 0 {
            throw SetUpError(.failure, "chown \(sockets) failed")
        }
        let words = (server.user?.words ?? []) + [program, file]
        process = try BackgroundProcess(
            "pgbouncer", executable: URL(filePath: words[0]), arguments: Array(words.dropFirst()),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], directory: URL(filePath: "/"))
        guard process.waitForLines(containing: "process up", within: .seconds(20)) else {
            throw SetUpError(
                .failure, "PgBouncer did not start: \(process.lines.suffix(5).joined(separator: "; "))")
        }
    }

    package var url: String { LocalServer.url(sockets) }

    deinit { process.kill() }
}
