import Files
import ServiceRuntime

/// A service that does not run, and its database that is changed without it.
enum StoppedService {
    /// Takes what the service holds while it runs: none can start, and none works on its database, until this is released.
    ///
    /// - Parameter side: “host” or “companion”.
    /// - Throws: If a process holds it: a service that starts or stops at this moment, or a command like this one.
    static func hold(_ side: String, _ invocation: Invocation) throws -> FileLock {
        let directory = DurableDirectory(invocation.state.device(of: side))
        do {
            try directory.create()
            if let lock = try FileLock.claim(directory.path(of: "lock")) { return lock }
        } catch {
            throw CommandError("\(error)")
        }
        throw CommandError(
            "nothing is changed: a process uses \(directory.path), perhaps a \(side) that starts or stops; try again, or stop the \(side) first"
        )
    }
}
