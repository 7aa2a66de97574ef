public import Files
import Glibc
import Locking

/// The listening sockets that a service manager opened before this process started: socket activation, see
/// sd_listen_fds(3).
///
/// Such a socket outlives the service: clients that connect during a restart wait instead of being refused. Each socket
/// is found by its path, so the configuration is the same with and without a manager.
public final class InheritedSockets: Sendable {
    /// The sockets of this process; empty until ``adopt(environment:)``.
    public static let process = InheritedSockets()

    /// The first inherited descriptor; the others follow it.
    private static let firstDescriptor: Int32 = 3
    /// The most sockets adopted. 16: a service has two.
    private static let maximum: Int32 = 16

    /// The descriptors by path.
    private let descriptors = Mutex<[String: Int32]>([:])

    init() {}

    /// Adopts the sockets in `$LISTEN_FDS` if `$LISTEN_PID` names this process.
    ///
    /// - Returns: The paths of the sockets.
    /// - Throws: `SystemError` if a descriptor is not a listening Unix stream socket.
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
        // Child processes must not adopt the sockets again.
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        descriptors.withLock { $0.merge(found) { _, latest in latest } }
        return found.keys.sorted()
    }

    /// The paths of sockets that have not been claimed.
    public var unused: [String] { descriptors.withLock { $0.keys.sorted() } }

    /// Removes and returns the socket bound to a path.
    func take(_ path: String) -> Int32? { descriptors.withLock { $0.removeValue(forKey: path) } }
}
