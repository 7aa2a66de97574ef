import DatabaseServers
import Foundation
import LinkTransport
import Processes

/// A server of another project, started for a measurement, that takes quizzes on a Unix socket.
final class OtherServer {
    enum Kind: String, CaseIterable {
        /// Redis that keeps everything in memory.
        case redis
        /// Redis that writes and syncs its log before it answers.
        case durableRedis
        /// PostgreSQL with its usual durability.
        case postgresql
        /// beanstalkd that syncs each job.
        case beanstalkd
        /// mosquitto, which confirms a message (QoS 1) that it holds in memory.
        case mosquitto

        var name: String {
            switch self {
            case .redis: "Redis"
            case .durableRedis: "Redis, appendfsync always"
            case .postgresql: "PostgreSQL"
            case .beanstalkd: "beanstalkd -f 0"
            case .mosquitto: "mosquitto, QoS 1, in memory"
            }
        }

        /// The name of its protocol among the clients.
        var client: String {
            switch self {
            case .redis, .durableRedis: "redis"
            case .postgresql: "postgresql"
            case .beanstalkd: "beanstalkd"
            case .mosquitto: "mqtt"
            }
        }

        /// The package of Debian that has the server.
        var package: String {
            switch self {
            case .redis, .durableRedis: "redis-server"
            case .postgresql: "postgresql"
            case .beanstalkd: "beanstalkd"
            case .mosquitto: "mosquitto"
            }
        }

        /// The most requests under way on a connection. beanstalkd loses sight of one that arrives beside another.
        var mostUnderWay: Int { self == .beanstalkd ? 1 : .max }

        /// True if what it confirms survives a power cut.
        var isDurable: Bool {
            switch self {
            case .durableRedis, .postgresql, .beanstalkd: true
            case .redis, .mosquitto: false
            }
        }
    }

    /// The time in which a server must accept connections. Ten seconds: all take less than one, a busy machine more.
    private static let startLimit: Duration = .seconds(10)
    /// The pause between attempts to connect, in microseconds.
    private static let startPause: UInt32 = 10_000

    let kind: Kind
    /// The path of its socket.
    let socket: String
    private let process: BackgroundProcess?
    private let database: LocalServer?

    /// Returns the server; nil if it is not installed.
    static func start(_ kind: Kind, in folder: BenchFolder) throws -> OtherServer? {
        guard kind != .postgresql else {
            guard (try? ServerPrograms.find()) != nil else { return nil }
            return try OtherServer(PostgreSQLIn: folder)
        }
        guard let program = ProgramSearch.find(kind.package) else { return nil }
        return try OtherServer(kind, program, in: folder)
    }

    private init(PostgreSQLIn folder: BenchFolder) throws {
        let server = try LocalServer("pg", in: ScratchDirectory())
        try server.initialise()
        try server.start()
        (kind, process, database) = (.postgresql, nil, server)
        socket = "\(server.sockets)/.s.PGSQL.\(server.port)"
    }

    private init(_ kind: Kind, _ program: String, in folder: BenchFolder) throws {
        let directory = try folder.socket(kind.rawValue)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let socket = "\(directory)/s"
        let process = try BackgroundProcess(
            kind.rawValue, executable: URL(filePath: program),
            arguments: try Self.arguments(kind, socket, directory), environment: ["PATH": "/usr/bin:/bin"],
            directory: URL(filePath: directory), mergesOutput: true)
        (self.kind, self.socket, self.process, database) = (kind, socket, process, nil)
        let deadline = ContinuousClock.now + Self.startLimit
        while !Self.accepts(socket) {
            guard !process.hasEnded, ContinuousClock.now < deadline else {
                process.kill()
                throw BenchError("\(kind.name) did not start: \(process.lines.suffix(3).joined(separator: "; "))")
            }
            usleep(Self.startPause)
        }
    }

    deinit { process?.kill() }

    /// Returns true if a server accepts connections: its socket exists before it listens.
    private static func accepts(_ socket: String) -> Bool {
        (try? UnixSocket.connect(to: socket, blocking: true)) != nil
    }

    private static func arguments(_ kind: Kind, _ socket: String, _ directory: String) throws -> [String] {
        switch kind {
        case .redis, .durableRedis:
            let isDurable = kind == .durableRedis
            return [
                "--port", "0", "--unixsocket", socket, "--dir", directory, "--save", "", "--appendonly",
                isDurable ? "yes" : "no", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0",
            ]
        case .beanstalkd: return ["-l", "unix:\(socket)", "-b", directory, "-f", "0"]
        case .mosquitto:
            let file = "\(directory)/mosquitto.conf"
            // As root, mosquitto becomes another user, who could not open the socket's directory.
            let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "root"
            let lines = ["listener 0 \(socket)", "allow_anonymous true", "persistence false", "user \(user)"]
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
            return ["-c", file]
        case .postgresql: return []
        }
    }

    /// Takes a sample of a load.
    ///
    /// - Parameter options: The load; the socket is this server's.
    func drive(_ options: PeerOptions) throws -> Outcome {
        var own = options
        own.socket = socket
        return try PeerProcess.drive(OtherClient.prefix + kind.client, own)
    }
}
