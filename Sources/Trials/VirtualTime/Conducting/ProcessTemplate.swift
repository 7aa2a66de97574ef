import CVirtualTime
import Foundation
import Homes

/// A process that has done the common start of all programs of a performance, and is then copied for each: a copy
/// starts in a millisecond.
///
/// It is a program that calls ``serveCopies()`` when it is ready, while it has a single thread, or any program that
/// preloads the library, which then does so before `main`. Until then it runs in real time.
// Proof of `@unchecked Sendable`: all requests are sent while the lock is held.
package final class ProcessTemplate: @unchecked Sendable {
    /// The environment variable that makes a program a template. Its value is up to the owner.
    package static let mark = "VIRTUAL_TIME_TEMPLATE"
    /// 60 s: on a busy machine, a debug build of many tests needs a few seconds until it serves copies.
    private static let usualLimit: Duration = .seconds(60)
    /// The bytes by which the path of a copy's home may be longer than the template's. 128: that of a socket in it may have 107.
    private static let homeRoom = 128
    /// The last 64 KiB of its output: enough to find the reason it ended.
    private static let mostOutput = 64 << 10

    private let process: virtual_time_process
    private let requests: Int32
    private let output: FileHandle
    private let lock = NSLock()
    /// True if each copy has its own arguments, as long as the template's.
    private let copiesHaveArguments: Bool
    /// The real time in which it must answer.
    private let limit: Duration

    /// - Parameters:
    ///   - program: The program. Its environment is added to that of this process.
    ///   - mark: The value of the variable ``mark``.
    package convenience init(_ program: Program, mark: String) throws(ConductorError) {
        var environment = ProcessInfo.processInfo.environment
        environment.merge(program.environment) { _, own in own }
        environment[Self.mark] = mark
        // The template must have the same order of dictionaries as its copies.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        try self.init(
            program, environment: environment, directory: FileManager.default.currentDirectoryPath,
            copiesHaveArguments: false, limit: Self.usualLimit)
    }

    /// Loads a program that preloads the library, and stops it before `main`.
    ///
    /// - Parameters:
    ///   - environment: Its environment, of which only the loader and the runtime see anything.
    ///   - limit: The real time in which it must be loaded.
    convenience init(
        loading program: Program, environment: [String: String], limit: Duration
    ) throws(ConductorError) {
        var environment = environment
        environment[VIRTUAL_TIME_COPIED] = "1"
        try self.init(program, environment: environment, directory: "/", copiesHaveArguments: true, limit: limit)
    }

    private init(
        _ program: Program, environment: [String: String], directory: String, copiesHaveArguments: Bool,
        limit: Duration
    ) throws(ConductorError) {
        (self.copiesHaveArguments, self.limit) = (copiesHaveArguments, limit)
        guard World.isAvailable else { throw .notAvailable }
        // An unnamed file.
        guard let stream = tmpfile() else { throw .system("create a temporary file", code: errno) }
        let file = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0)
        fclose(stream)
        guard file >= 0 else { throw .system("open a temporary file", code: errno) }
        output = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        let ends = try ProcessLaunch.channel(to: program.name)
        defer { close(ends.other) }
        // The template must have the processors of a world.
        var environment = environment
        environment["VIRTUAL_TIME_PREPARED"] = "1"
        // A copy writes its home over the template's, which a path with more slashes leaves room for.
        let home = ProgramHome((environment["HOME"] ?? "/") + String(repeating: "/", count: Self.homeRoom))
        environment.merge(home.variables) { _, own in own }
        // Functions are found once for all copies, rather than by each at its first call.
        environment["LD_BIND_NOW"] = "1"
        var process = virtual_time_process()
        let launch = ProcessLaunch(
            program: program, environment: environment, directory: directory, output: file, errors: file,
            conductor: ends.other)
        let code = launch.start(&process)
        guard code == 0 else {
            close(ends.own)
            throw .system("start \(program.executable)", code: code)
        }
        (self.process, requests) = (process, ends.own)
    }

    deinit {
        // Closing the channel ends the template, and with it its copies.
        close(requests)
        kill(process.identifier, SIGKILL)
        while waitpid(process.identifier, nil, 0) < 0 && errno == EINTR {}
        close(process.handle)
    }

    /// Requests a copy of the template.
    ///
    /// - Returns: 0, or the error number.
    func start(_ launch: ProcessLaunch, _ copy: inout virtual_time_process) -> Int32 {
        lock.withLock {
            launch.with { launch in
                virtual_time_copy_process(requests, &launch, copiesHaveArguments, milliseconds, &copy) ? 0 : errno
            }
        }
    }

    /// Waits for a copy that was killed or has ended.
    ///
    /// - Returns: Its wait status; SIGKILL if the template is gone, because its end kills its copies.
    func status(of copy: virtual_time_process) -> Int32 {
        // Here, because the template, which is the copy's parent, would serve nobody else until then.
        var end = pollfd(fd: copy.handle, events: Int16(POLLIN), revents: 0)
        while poll(&end, 1, Int32(clamping: limit.milliseconds)) < 0 && errno == EINTR {}
        return lock.withLock {
            var status: Int32 = 0
            guard virtual_time_end_of_copy(requests, copy.identifier, milliseconds, &status) else {
                return SIGKILL
            }
            return status
        }
    }

    /// The template's output, which contains the reason if it does not serve copies.
    package var text: String {
        var bytes = [UInt8](repeating: 0, count: Self.mostOutput)
        let size = lseek(output.fileDescriptor, 0, SEEK_END)
        let count = pread(output.fileDescriptor, &bytes, bytes.count, max(0, size - off_t(bytes.count)))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private var milliseconds: UInt32 { UInt32(clamping: limit.milliseconds) }

    /// Serves the template's owner. In each copy this returns, at the copy's start in the performance's virtual time.
    package static func serveCopies() throws(ConductorError) {
        guard virtual_time_serve_copies(VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR) else {
            let code = errno
            throw code == EDEADLK ? .severalThreads : .system("serve copies of this process", code: code)
        }
    }
}
