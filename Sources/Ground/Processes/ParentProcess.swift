import CLinux
public import Foundation
import Glibc

/// Programs that end when the one that started them does, however that ended: a killed trial leaves no services behind.
public enum ParentProcess {
    /// Names the process to end with. A child looks for it at its start.
    private static let variable = "WATCHLINK_PARENT"

    /// What a parent adds to the environment of a child that is to end with it.
    package static var invitation: [String: String] { [variable: "\(getpid())"] }

    /// Ends this process with its parent, if that is wanted.
    public static func follow(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let parent = environment[variable].flatMap(Int32.init) else { return }
        // What this process starts is its own affair.
        unsetenv(variable)
        watchlink_die_with_parent()
        guard getppid() != parent else { return }
        // It was gone before; or there is a process between, a shell for instance, which the system watches just as well.
        if Glibc.kill(parent, 0) != 0, errno == ESRCH { _exit(ExitCode.failure.rawValue) }
    }
}
