import CVirtualTime
import Glibc

/// The parameters for starting a process of a performance, or a template of such processes.
struct ProcessLaunch {
    let program: Program
    let environment: [String: String]
    let directory: String
    /// File descriptors.
    let output: Int32
    let errors: Int32
    let conductor: Int32

    /// Creates a channel between the conductor and a process, and returns the conductor's end and the process's end.
    static func channel(to name: String) throws(ConductorError) -> (own: Int32, other: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .system("create a channel to the program “\(name)”", code: errno)
        }
        return (ends[0], ends[1])
    }

    /// Starts a new process.
    ///
    /// - Returns: 0, or the error number.
    func start(_ process: inout virtual_time_process) -> Int32 {
        with { launch in virtual_time_start_process(&launch, &process) ? 0 : errno }
    }

    /// Calls a closure with these parameters in C form.
    func with<Result>(_ body: (inout virtual_time_launch) -> Result) -> Result {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return CStrings.with([program.executable] + program.arguments) { arguments in
            CStrings.with(variables) { variables in
                directory.withCString { directory in
                    var launch = virtual_time_launch(
                        executable: arguments[0], arguments: arguments, environment: variables, directory: directory,
                        output: output, errors: errors, conductor: conductor)
                    return body(&launch)
                }
            }
        }
    }
}
