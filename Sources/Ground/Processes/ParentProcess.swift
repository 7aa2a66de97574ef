import CLinux
public import Foundation
import Glibc

/// Programs that end with the process that started them, however it ended: a killed trial leaves no services running.
public enum ParentProcess {
    /// The environment variable with the parent's process identifier; a child reads it at its start.
    private static let variable = "WATCHLINK_PARENT"

    /// The environment variables that make a child end with this process.
    package static var invitation: [String: String] { [variable: "\(getpid())"] }

    /// Makes this process end with its parent, if the environment requests it.
    public static func follow(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let parent = environment[variable].flatMap(Int32.init) else { return }
        // Not inherited by this process's own children.
        unsetenv(variable)
        watchlink_die_with_parent()
        guard getppid() != parent else { return }
        // The parent ended before; or a process is between, such as a shell, which the kernel watches just as well.
        if Glibc.kill(parent, 0) != 0, errno == ESRCH { _exit(ExitCode.failure.rawValue) }
    }
}
