public import Files
import Glibc
import Locking

/// Listening sockets that a service manager opened before this process: socket activation, sd_listen_fds(3).
///
/// A socket outlives the service that way: who connects while the service restarts waits, and is not refused. Each is found
/// by the path that it is bound to, so that the configuration says the same whether or not there is a manager.
public final class InheritedSockets: Sendable {
    /// Those of this process; empty until ``adopt(environment:)``.
    public static let process = InheritedSockets()

    /// The first descriptor that a manager hands over; the others follow.
    private static let firstDescriptor: Int32 = 3
    /// Most that are taken. 16: a service has two.
    private static let maximum: Int32 = 16

    /// By path.
    private let descriptors = Mutex<[String: Int32]>([:])

    init() {}

    /// Takes what `$LISTEN_FDS` says, if `$LISTEN_PID` names this process.
    ///
    /// - Returns: The paths of the sockets.
    /// - Throws: If what was handed over is no listening Unix stream socket.
    public func adopt(environment: [String: String]) throws(SystemError) -> [String] {
        try adopt(environment: environment, first: Self.firstDescriptor)
    }

    func adopt(environment: [String: String], first: Int32) throws(SystemError) -> [String] {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), count > 0
        else { return [] }
        var found: [String: Int32] = [:]
        for number in first..<(first + min(count, Self.maximum)) {
            found[try UnixSocket.adopt(number)] = number
        }
        // The programs that this one starts must not take them for theirs.
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        descriptors.withLock { $0.merge(found) { _, latest in latest } }
        return found.keys.sorted()
    }

    /// The sockets that nobody has asked for.
    public var unused: [String] { descriptors.withLock { $0.keys.sorted() } }

    /// The socket that is bound to a path, once.
    func take(_ path: String) -> Int32? { descriptors.withLock { $0.removeValue(forKey: path) } }
}
