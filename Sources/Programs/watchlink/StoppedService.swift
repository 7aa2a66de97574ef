import Files
import ServiceRuntime

/// Access to the database of a stopped service.
enum StoppedService {
    /// Takes the lock that the running service holds: no service can start until it is released.
    ///
    /// - Parameter side: “host” or “companion”.
    /// - Throws: An error if a process holds it: a service that is starting or stopping, or another command.
    static func hold(_ side: String, _ invocation: Invocation) throws -> FileLock {
        let directory = DurableDirectory(invocation.state.device(of: side))
        do {
            try directory.create()
            if let lock = try FileLock.claim(directory.path(of: "lock")) { return lock }
        } catch {
            throw CommandError("\(error)")
        }
        throw CommandError(
            "nothing was changed: a process uses \(directory.path), perhaps a \(side) that is starting or stopping; try again, or stop the \(side) first"
        )
    }
}
