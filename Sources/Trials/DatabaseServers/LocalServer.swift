import Foundation
import Glibc
import Locking
package import Processes

/// A PostgreSQL server of this program's own, on a Unix socket in a scratch directory.
package final class LocalServer: Sendable {
    /// The port that names the socket of a server without a network.
    package static let socketPort: UInt16 = 5_432
    /// The time in which a server must accept connections. A minute: recovery after a crash takes a second.
    private static let startLimit: Duration = .seconds(60)
    /// The pause between looks at a server that starts. 20 ms: it takes ten times as long.
    private static let startPause: UInt32 = 20_000

    package let programs: ServerPrograms
    package let user: ServerUser?
    package let scratch: ScratchDirectory
    package let name: String
    /// The port; it only names the socket unless ``listens``.
    package let port: UInt16
    /// True if it also listens on this machine's own network address, where connections can be encrypted.
    private let listens: Bool
    private let process = Mutex<BackgroundProcess?>(nil)

    /// The directory of its data.
    package var data: String { "\(scratch.path)/\(name)" }
    /// The directory of its socket.
    package var sockets: String { "\(scratch.path)/\(name)-socket" }
    /// The URL of its database.
    package var url: String { Self.url(sockets) }

    /// Returns the URL of the server of a directory, or of several with commas between.
    package static func url(_ sockets: String) -> String { "postgresql://watchlink@/postgres?host=\(sockets)" }

    /// Makes the directories of a server; it has no data yet.
    ///
    /// - Parameter networkPort: A port of this machine's own network address to listen on; nil for none.
    package init(_ name: String, in scratch: ScratchDirectory, networkPort: UInt16? = nil) throws {
        (self.name, self.scratch) = (name, scratch)
        (port, listens) = (networkPort ?? Self.socketPort, networkPort != nil)
        programs = try ServerPrograms.find()
        user = try ServerPrograms.user()
        // The server's user must pass through.
        guard chmod(scratch.path, 0o711) == 0 else { throw SetUpError(.failure, "chmod \(scratch.path) failed") }
        for path in [data, sockets] {
            guard mkdir(path, 0o700) == 0 else { throw SetUpError(.failure, "mkdir \(path) failed") }
            if let user, chown(path, user.number, user.group) != 0 {
                throw SetUpError(.failure, "chown \(path) failed")
            }
        }
    }

    deinit { process.withLock { $0?.kill() } }

    /// Makes the data of a new database cluster.
    package func initialise() throws {
        _ = try Command.run(
            [programs.path("initdb"), "-D", data, "-U", "watchlink", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            as: user)
    }

    /// Makes the data a copy of another server's, which it follows from then on.
    package func follow(_ primary: LocalServer) throws {
        _ = try Command.run(
            [
                programs.path("pg_basebackup"), "-D", data, "-h", primary.sockets, "-p", "\(primary.port)", "-U",
                "watchlink",
                "-R", "-X", "stream", "-c", "fast",
            ], as: user)
    }

    /// Starts this server with new data, and another that follows it: from then on, what is confirmed is on both.
    package func start(withReplica replica: LocalServer) throws {
        try initialise()
        try start()
        try replica.follow(self)
        try replica.start()
        _ = try query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        _ = try query("SELECT pg_reload_conf()")
    }

    /// Makes a server that follows another accept changes, and waits until it does.
    package func promote() throws {
        _ = try Command.run([programs.path("pg_ctl"), "promote", "-D", data, "-w", "-s"], as: user)
    }

    /// Starts the server and waits until it accepts connections.
    package func start() throws {
        let deadline = ContinuousClock.now + Self.startLimit
        var words = (user?.words ?? []) + [programs.path("postgres"), "-D", data, "-k", sockets]
        let addresses = listens ? "127.0.0.1" : ""
        // A server that is killed leaves its shared memory: here it goes with its directory.
        let settings = [
            "listen_addresses=\(addresses)", "port=\(port)", "max_connections=200", "dynamic_shared_memory_type=mmap",
        ]
        for setting in settings { words += ["-c", setting] }
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
                throw SetUpError(
                    .failure, "the server did not start: \(new.lines.suffix(5).joined(separator: "; "))")
            }
            usleep(Self.startPause)
        }
    }

    private var isReady: Bool { (try? query("SELECT 1")) == "1" }

    /// Asks the server with psql: not through the store, which is on trial.
    package func query(_ sql: String) throws -> String {
        try Command.run([
            programs.path("psql"), "-XAtq", "-h", sockets, "-p", "\(port)", "-U", "watchlink", "-d", "postgres",
            "-v", "ON_ERROR_STOP=1", "-c", sql,
        ])
    }

    /// Sends a signal to the server's first process, and waits for its end: SIGQUIT is `pg_ctl stop -m immediate`.
    package func end(by signal: Int32) throws {
        guard let running = process.withLock({ $0 }) else { return }
        running.signal(signal)
        guard running.waitForEnd(within: .seconds(30)) else {
            throw SetUpError(.failure, "the server did not end after signal \(signal)")
        }
    }

    /// Kills the server's processes for watchlink's connections; it restarts all others itself.
    ///
    /// - Returns: The number of processes.
    package func killBackends() throws -> Int {
        let numbers = try query(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'watchlink'"
        ).split(separator: "\n").compactMap { Int32($0) }
        for number in numbers { Glibc.kill(number, SIGKILL) }
        return numbers.count
    }
}
