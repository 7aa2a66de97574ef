import Foundation
import Glibc
import Locking
import Processes

/// A PostgreSQL server of this program's own, on a Unix socket in a scratch directory.
final class LocalServer: Sendable {
    /// The port, which only names the socket.
    static let port = 5_432
    /// The time in which a server must accept connections. A minute: recovery after a crash takes a second.
    private static let startLimit: Duration = .seconds(60)
    /// The pause between looks at a server that starts. 20 ms: it takes ten times as long.
    private static let startPause: UInt32 = 20_000

    let programs: ServerPrograms
    let user: ServerUser?
    let scratch: ScratchDirectory
    let name: String
    private let process = Mutex<BackgroundProcess?>(nil)

    /// The directory of its data.
    var data: String { "\(scratch.path)/\(name)" }
    /// The directory of its socket.
    var sockets: String { "\(scratch.path)/\(name)-socket" }
    /// The URL of its database.
    var url: String { Self.url(sockets) }

    static func url(_ sockets: String) -> String { "postgresql://watchlink@/postgres?host=\(sockets)" }

    /// Makes the directories of a server; it has no data yet.
    init(_ name: String, in scratch: ScratchDirectory) throws {
        (self.name, self.scratch) = (name, scratch)
        programs = try ServerPrograms.find()
        user = try ServerPrograms.user()
        // The server's user must pass through.
        guard chmod(scratch.path, 0o711) == 0 else { throw CertifyError(.failure, "chmod \(scratch.path) failed") }
        for path in [data, sockets] {
            guard mkdir(path, 0o700) == 0 else { throw CertifyError(.failure, "mkdir \(path) failed") }
            if let user, chown(path, user.number, user.group) != 0 {
                throw CertifyError(.failure, "chown \(path) failed")
            }
        }
    }

    deinit { process.withLock { $0?.kill() } }

    /// Makes the data of a new database cluster.
    func initialise() throws {
        _ = try Command.run(
            [programs.path("initdb"), "-D", data, "-U", "watchlink", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            as: user)
    }

    /// Starts the server and waits until it accepts connections.
    ///
    /// - Parameter settings: Further settings, such as “max_connections=200”.
    func start(_ settings: [String] = []) throws {
        let deadline = ContinuousClock.now + Self.startLimit
        var words = (user?.words ?? []) + [programs.path("postgres"), "-D", data, "-k", sockets]
        for setting in ["listen_addresses=", "port=\(Self.port)", "max_connections=200"] + settings {
            words += ["-c", setting]
        }
        while true {
            let new = try BackgroundProcess(
                "postgres", executable: URL(filePath: words[0]), arguments: Array(words.dropFirst()),
                environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], directory: URL(filePath: "/"))
            process.withLock { $0 = new }
            while !new.hasEnded, ContinuousClock.now < deadline {
                if isReady { return }
                usleep(Self.startPause)
            }
            // After a kill, its children need a moment to notice, and it does not start before.
            guard ContinuousClock.now < deadline else {
                throw CertifyError(
                    .failure, "the server did not start: \(new.lines.suffix(5).joined(separator: "; "))")
            }
            usleep(Self.startPause)
        }
    }

    private var isReady: Bool { (try? query("SELECT 1")) == "1" }

    /// Asks the server with psql: not through the store, which is on trial.
    func query(_ sql: String) throws -> String {
        try Command.run([
            programs.path("psql"), "-XAtq", "-h", sockets, "-p", "\(Self.port)", "-U", "watchlink", "-d", "postgres",
            "-v", "ON_ERROR_STOP=1", "-c", sql,
        ])
    }

    /// Sends a signal to the server's first process, and waits for its end: SIGQUIT is `pg_ctl stop -m immediate`.
    func end(by signal: Int32) throws {
        guard let running = process.withLock({ $0 }) else { return }
        running.signal(signal)
        guard running.waitForEnd(within: .seconds(30)) else {
            throw CertifyError(.failure, "the server did not end after signal \(signal)")
        }
    }

    /// Kills the server's processes for watchlink's connections; it restarts all others itself.
    ///
    /// - Returns: The number of processes.
    func killBackends() throws -> Int {
        let numbers = try query(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'watchlink'"
        ).split(separator: "\n").compactMap { Int32($0) }
        for number in numbers { Glibc.kill(number, SIGKILL) }
        return numbers.count
    }
}
