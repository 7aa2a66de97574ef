import CVirtualTime
import Foundation

/// A process that has done what all programs of a performance do first, and of which each is then a copy: it starts in a millisecond.
///
/// It is a program that calls ``serveCopies()`` when it has come so far, with one thread. What it does before, it does in real time.
// Proof of `@unchecked Sendable`: requests are made, and the process is ended, while the lock is held.
package final class ProcessTemplate: @unchecked Sendable {
    /// Its environment has this: the program knows by it that it is a template. The value is the owner's.
    package static let mark = "VIRTUAL_TIME_TEMPLATE"
    /// 60 s: a debug build of many tests needs some seconds until it serves on a machine that is busy.
    private static let limit: Duration = .seconds(60)
    /// 64 KiB of what it wrote, from the end: more helps nobody who looks for the reason of its end.
    private static let mostOutput = 64 << 10

    private let process: virtual_time_process
    private let requests: Int32
    private let output: FileHandle
    private let lock = NSLock()

    /// - Parameters:
    ///   - program: Its environment is this process's own, and what the program has beside it.
    ///   - mark: Tells the program why it runs.
    package init(_ program: Program, mark: String) throws(ConductorError) {
        guard World.isAvailable else { throw .notAvailable }
        // A file without a name.
        guard let stream = tmpfile() else { throw .system("make a temporary file", code: errno) }
        let file = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0)
        fclose(stream)
        guard file >= 0 else { throw .system("open a temporary file", code: errno) }
        output = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        let ends = try ProcessLaunch.channel(to: program.name)
        defer { close(ends.other) }
        var environment = ProcessInfo.processInfo.environment
        environment.merge(program.environment) { _, own in own }
        environment[Self.mark] = mark
        // It gets the processors of a world, and the order of its dictionaries must be the one that they have in its copies.
        environment["VIRTUAL_TIME_PREPARED"] = "1"
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        var process = virtual_time_process()
        let launch = ProcessLaunch(
            program: program, environment: environment, directory: FileManager.default.currentDirectoryPath,
            output: file, errors: file, conductor: ends.other)
        let code = launch.start(&process)
        guard code == 0 else {
            close(ends.own)
            throw .system("start \(program.executable)", code: code)
        }
        (self.process, requests) = (process, ends.own)
    }

    deinit {
        // Without its owner it ends, and with it its copies.
        close(requests)
        kill(process.identifier, SIGKILL)
        while waitpid(process.identifier, nil, 0) < 0 && errno == EINTR {}
        close(process.handle)
    }

    /// Has the template copied.
    ///
    /// - Returns: 0, or the number of the error.
    func start(_ launch: ProcessLaunch, _ copy: inout virtual_time_process) -> Int32 {
        lock.withLock {
            launch.with { virtual_time_copy_process(requests, &$0, Self.milliseconds, &copy) ? 0 : errno }
        }
    }

    /// Waits for a copy that was killed or has ended.
    ///
    /// - Returns: Its wait status. A copy does not outlive its template, which kills it by its own end.
    func status(of copy: virtual_time_process) -> Int32 {
        lock.withLock {
            var status: Int32 = 0
            guard virtual_time_end_of_copy(requests, copy.identifier, Self.milliseconds, &status) else {
                return SIGKILL
            }
            return status
        }
    }

    /// What the template has written: the reason, if it serves no copies.
    package var text: String {
        var bytes = [UInt8](repeating: 0, count: Self.mostOutput)
        let size = lseek(output.fileDescriptor, 0, SEEK_END)
        let count = pread(output.fileDescriptor, &bytes, bytes.count, max(0, size - off_t(bytes.count)))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static var milliseconds: UInt32 { UInt32(clamping: limit.milliseconds) }

    /// In the template: serves its owner. It returns in each copy, at the instant at which this begins in the performance's virtual time.
    package static func serveCopies() throws(ConductorError) {
        guard virtual_time_serve_copies(VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR) else {
            let code = errno
            throw code == EDEADLK ? .severalThreads : .system("serve copies of this process", code: code)
        }
    }
}
