import CVirtualTime
import Foundation

/// A process that waits for the next time whenever it is idle.
// Used by the conducting thread only.
final class ConductedProcess {
    /// The response of a process to its turn.
    enum Answer {
        case idle(virtual_time_idle)
        /// It has ended with this wait status.
        case ended(Int32)
        /// It took too long and was killed.
        case overdue
    }

    /// The interval at which a process that does not report is checked for its end: it may have left a child that holds
    /// its end of the channel open. 50 ms: programs usually report within milliseconds.
    private static let checkMilliseconds: UInt32 = 50

    /// The most directory watches that are taken over. 8: programs have one to three; more end with the process.
    private static let mostWatches = 8

    let name: String
    var identifier: Int32 { process.identifier }
    private let process: virtual_time_process
    private let channel: Int32
    /// The template it was copied from; nil if it was started as a program.
    private let template: ProcessTemplate?
    private var status: Int32?
    private var isKilled = false
    /// An epoll descriptor that is ready when one for which the process waits is ready; -1 if there is none.
    private(set) var watched: Int32 = -1
    /// An epoll descriptor that is ready when that of another process is ready. The process has it, too.
    private let others: Int32
    private var hasOthers = false

    /// Starts a program, or copies a template. It runs in real time until its first report, which it sends before
    /// `main`, or before the template's copy continues.
    init(
        _ program: Program, from origin: Conductor.Origin, environment: [String: String], directory: String,
        output: String, errors: String, limit: Duration
    )
        throws(ConductorError)
    {
        name = program.name
        let files = try Self.openFiles([output, errors])
        defer { for file in files { close(file) } }
        let ends = try ProcessLaunch.channel(to: name)
        defer { close(ends.other) }
        others = virtual_time_make_observer()
        guard others >= 0, virtual_time_limit_waits(ends.own, Self.checkMilliseconds) else {
            let code = errno
            close(ends.own)
            if others >= 0 { close(others) }
            throw .system("wait for the program “\(name)”", code: code)
        }
        let launch = ProcessLaunch(
            program: program, environment: environment, directory: directory, output: files[0], errors: files[1],
            conductor: ends.other)
        var process = virtual_time_process()
        let code: Int32
        (code, template) = Self.start(launch, from: origin, limit, &process)
        guard code == 0 else {
            close(ends.own)
            close(others)
            throw .system("start \(program.executable) in \(directory)", code: code)
        }
        (self.process, channel) = (process, ends.own)
    }

    deinit {
        kill()
        close(channel)
        close(others)
        close(process.handle)
        if watched >= 0 { close(watched) }
    }

    /// - Returns: 0 or the error number, and the template of which the process is a copy.
    private static func start(
        _ launch: ProcessLaunch, from origin: Conductor.Origin, _ limit: Duration,
        _ process: inout virtual_time_process
    ) -> (code: Int32, template: ProcessTemplate?) {
        switch origin {
        case .template(let template): return (template.start(launch, &process), template)
        case .executables(_, let loaded):
            guard
                let template = loaded.template(
                    for: launch.program, environment: launch.environment, limit: limit)
            else { break }
            let code = template.start(launch, &process)
            if code == 0 { return (0, template) }
            // Only this launch is too large; otherwise the program does not serve copies.
            if code != E2BIG { loaded.forget(template) }
        }
        return (launch.start(&process), nil)
    }

    /// Waits until the process reports that it is idle, or ends.
    func answer(limit: Duration) throws(ConductorError) -> Answer {
        if let status { return .ended(status) }
        var idle = virtual_time_idle()
        var descriptor: Int32 = -1
        var count = virtual_time_receive_report(channel, &idle, &descriptor)
        var waited: UInt32 = 0
        while count < 0, errno == EAGAIN {
            waited += Self.checkMilliseconds
            guard waited < limit.milliseconds else {
                kill()
                return .overdue
            }
            let hasEnded = try waitForEnd(.zero)
            count = virtual_time_receive_report(channel, &idle, &descriptor)
            // A report sent before the end would have been received.
            if hasEnded { break }
        }
        if descriptor >= 0 {
            if watched >= 0 { close(watched) }
            watched = descriptor
        }
        if count > 0 {
            guard count == MemoryLayout<virtual_time_idle>.size, idle.version == VIRTUAL_TIME_CONDUCTOR_VERSION else {
                throw .notUnderstood(name)
            }
            return .idle(idle)
        }
        // The channel is closed, or the process has ended. Neither implies the other: a child may hold the other end,
        // and the process may have closed its end and live on.
        guard try waitForEnd(limit) else {
            kill()
            return .overdue
        }
        return .ended(kill())
    }

    /// Gives an idle process its turn. If it has ended, the next answer says so.
    ///
    /// - Parameter aloneUntil: The time before which it may go on by itself, while no other process needs a turn.
    func goOn(
        at now: Int64, in surroundings: Surroundings, signal: Int32 = 0, stepsToLive: UInt64 = 0, aloneUntil: Int64 = 0
    ) {
        var message = virtual_time_go_on(
            version: VIRTUAL_TIME_CONDUCTOR_VERSION, signal: UInt32(signal), now: now, steps_to_live: stepsToLive,
            clock_shift: surroundings.clockShift, is_disk_full: surroundings.isDiskFull ? 1 : 0,
            alone_until: aloneUntil)
        virtual_time_send_go_on(channel, &message, hasOthers ? -1 : others)
        hasOthers = true
    }

    /// Lets this process see whether another one needs a turn.
    ///
    /// - Returns: False if that is not possible.
    func observe(_ other: ConductedProcess) -> Bool {
        other.watched >= 0 && virtual_time_observe(others, other.watched)
    }

    /// Kills the process and every process it started that has not created its own session, and does not wait for its end.
    func beginToKill() {
        guard !isKilled else { return }
        isKilled = true
        let watches = takeWatches()
        ProcessSession(leader: process.identifier).kill()
        guard !watches.isEmpty else { return }
        Thread.detachNewThread { for watch in watches { close(watch) } }
    }

    /// Takes over the descriptors that the kernel is slow to close, so that no performance waits for that.
    private func takeWatches() -> [Int32] {
        [Int32](unsafeUninitializedCapacity: Self.mostWatches) { room, count in
            count = withUnsafePointer(to: process) {
                Int(virtual_time_take_watches($0, room.baseAddress, Int32(Self.mostWatches)))
            }
        }
    }

    /// Kills the process and every process it started that has not created its own session, and reaps it.
    ///
    /// - Returns: The wait status.
    @discardableResult
    func kill() -> Int32 {
        if let status { return status }
        beginToKill()
        var status: Int32 = 0
        if let template {
            status = template.status(of: process)
        } else {
            while waitpid(process.identifier, &status, 0) < 0 && errno == EINTR {}
        }
        self.status = status
        return status
    }

    /// Returns true if the process has ended within a time.
    private func waitForEnd(_ limit: Duration) throws(ConductorError) -> Bool {
        var one = pollfd(fd: process.handle, events: Int16(POLLIN), revents: 0)
        // A signal, which is rare, makes the limit begin again.
        while true {
            let count = poll(&one, 1, Int32(clamping: limit.milliseconds))
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { throw .system("wait for the program “\(name)”", code: errno) }
        }
    }

    private static func openFiles(_ paths: [String]) throws(ConductorError) -> [Int32] {
        var files: [Int32] = []
        for path in paths {
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0o600)
            guard file >= 0 else {
                let code = errno
                for file in files { close(file) }
                throw .system("create the file \(path)", code: code)
            }
            files.append(file)
        }
        return files
    }
}
