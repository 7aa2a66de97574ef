import Configuration
import ControlSocket
import Files
import Foundation
import Glibc
import Processes
import ServiceRuntime

/// A pause of the running host: it is stopped, and started again afterwards, by its service manager if it has one.
struct HostPause {
    /// The time that the host may take to end, or to be ready again. 30 s: three times what a service allows itself.
    private static let patience: Duration = .seconds(30)
    /// The interval at which the host's lock is tried. 50 ms: a person does not notice it.
    private static let period: TimeInterval = 0.05

    private let invocation: Invocation
    private let commands: ShellCommand

    /// Stops the host.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        commands = ShellCommand(invocation)
        if let stop = commands.stop("host") {
            try Self.manage(stop)
        } else {
            try requireOwnHost()
            do throws(ControlClient.Failure) {
                _ = try invocation.host().call("stop")
            } catch {
                throw CommandError(error, service: "host")
            }
        }
        try awaitEnd()
    }

    /// Starts the host again, and waits until it answers.
    func end() throws {
        if commands.stop("host") != nil {
            try Self.manage(commands.start("host"))
        } else {
            try Self.spawn(commands.start("host"))
        }
        let client = RetryingClient(
            patience: Self.patience, isAsked: true,
            connect: { () throws(ControlClient.Failure) in
                try ControlClient(path: invocation.options["host-socket"] ?? invocation.state.hostControlSocket)
            }, onLost: { _ in })
        do throws(ControlClient.Failure) {
            _ = try client.call("time", .object([:]))
        } catch {
            throw CommandError("the host was started, but: \(error); try: \(commands.watchlink(["doctor"]))")
        }
    }

    /// Refuses to restart a process of another user as one's own.
    private func requireOwnHost() throws(CommandError) {
        var status = stat()
        guard stat(invocation.state.path, &status) == 0, status.st_uid != geteuid() else { return }
        throw CommandError(
            "the host belongs to the user \(status.st_uid), and no service manager could start it again; stop it, or use --stop as that user",
            .notAllowed)
    }

    /// Waits until the host's process has released its lock.
    private func awaitEnd() throws {
        let start = ContinuousClock.now
        while true {
            do {
                return try StoppedService.hold("host", invocation).release()
            } catch {
                guard ContinuousClock.now - start < Self.patience else { throw error }
                Thread.sleep(forTimeInterval: Self.period)
            }
        }
    }

    /// Runs a command of the service manager.
    private static func manage(_ line: String) throws(CommandError) {
        let result = ServiceUnits.output(line.split(separator: " ").map(String.init))
        guard result?.code != 0 else { return }
        throw CommandError(
            "“\(line)” failed: \(result?.text ?? "it does not start"); run it yourself",
            geteuid() == 0 ? .failure : .notAllowed)
    }

    /// Runs a line of a shell that starts a process in the background. Its end is not awaited: Foundation would wait for
    /// that of the background process.
    private static func spawn(_ line: String) throws(CommandError) {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", line]
        (shell.standardInput, shell.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        shell.standardError = FileHandle.nullDevice
        do {
            try shell.run()
        } catch {
            throw CommandError("cannot start the host: \(error.localizedDescription); start it: \(line)")
        }
    }
}
