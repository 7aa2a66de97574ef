import DeviceControl
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import Metrics
import Processes
import ServiceRuntime

/// Runs a service from start to exit: signals, notifications to the service manager, and configuration reloads.
// Proof of `@unchecked Sendable`: mutable state is used on the main queue only.
final class ServiceSupervisor: @unchecked Sendable {
    /// The time a stop may take before the process exits anyway. 10 s: a full disk or a blocked delegate must not
    /// prevent it.
    private static let stopLimit: DispatchTimeInterval = .seconds(10)
    /// The interval of status updates to the service manager. 10 s: operators look rarely.
    private static let statusPeriod: Duration = .seconds(10)

    private let program: String
    private let service: any Service
    private let log: ServiceLog
    private let manager: ServiceManager
    private let started = Date()
    private var settings: ServiceSettings
    private var isStopping = false
    private var timers: [any DispatchSourceTimer] = []
    private let signals: Signals

    private var logger: Logger { log.logger }

    init(
        _ program: String, _ settings: ServiceSettings, _ service: any Service, _ log: ServiceLog, _ signals: Signals
    ) {
        self.signals = signals
        self.program = program
        self.settings = settings
        self.service = service
        self.log = log
        manager = ServiceManager(environment: ProcessInfo.processInfo.environment, logger: log.logger)
    }

    /// Runs the service until a signal stops it.
    func run() -> Never {
        logger.log(
            .starting,
            [
                .version("\(Version.number)+\(Version.commit.prefix(12))"), .process(getpid()),
                .role(settings.role.rawValue),
            ])
        let role = settings.role.rawValue
        MetricRegistry.process.gauge("watchlink_build_info", help: "The running build; always 1.") {
            [([("role", role), ("version", Version.number), ("commit", String(Version.commit.prefix(12)))], 1)]
        }
        ProcessMetrics.register(started: started, in: .process)
        signals.handle { [self] in received($0) }
        service.start { [self] error in
            DispatchQueue.main.async { error.map(self.failed) ?? self.ready() }
        }
        withExtendedLifetime(self) { dispatchMain() }
    }

    private func ready() {
        // A signal may arrive during the start.
        guard !isStopping else { return }
        logger.log(.ready, [.duration(Date().timeIntervalSince(started))])
        do {
            try StartOptions(of: settings.role.rawValue, in: settings.state).keep(settings.options)
        } catch {
            logger.log(
                .fileSystemFailed, [.error(error), .reason("doctor will not know the options of this start")])
        }
        for path in InheritedSockets.process.unused { logger.log(.socketUnused, [.path(path)]) }
        manager.ready(service.summary)
        if let period = manager.watchdogPeriod {
            logger.log(.watchdogArmed, [.delay(period.inSeconds * 2)])
            // The service is alive only if all its loops turn.
            every(period) { [self] in service.pulse { DispatchQueue.main.async { self.manager.beat() } } }
        }
        if manager.isPresent { every(Self.statusPeriod) { [self] in manager.status(service.summary) } }
        if let path = settings.metricsFile {
            let file = MetricsFile(path: path, logger: logger)
            every(settings.metricsInterval) { file.write() }
        }
    }

    private func failed(_ error: any Error) {
        logger.log(.startFailed, [.error(error)])
        log.writer.flush()
        ServiceProgram.fail(program, "\(error)", .failure)
    }

    private func every(_ period: Duration, _ body: @escaping () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        let seconds = period.inSeconds
        timer.schedule(deadline: .now(), repeating: seconds, leeway: .milliseconds(Int(seconds * 100)))
        timer.setEventHandler(handler: body)
        timer.resume()
        timers.append(timer)
    }

    // MARK: - Signals

    private func received(_ signal: String) {
        logger.log(.signalReceived, [.signal(signal)])
        signal == "SIGHUP" ? reload() : stop()
    }

    private func stop() {
        // A second signal exits immediately.
        guard !isStopping else { return end(.failure) }
        isStopping = true
        logger.log(.stopping)
        manager.stopping()
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.stopLimit) { [self] in end(.failure) }
        service.stop { [self] in
            logger.log(.stopped, [.duration(Date().timeIntervalSince(started))])
            end(.success)
        }
    }

    private func end(_ code: ExitCode) {
        log.writer.flush()
        code.exit()
    }

    private func reload() {
        guard !isStopping else { return }
        manager.reloading()
        log.writer.reopen()
        defer { manager.ready(service.summary) }
        do {
            let former = settings
            let mistakes = ServiceSettings.mistakes(role: former.role, options: former.options)
            guard mistakes.isEmpty else {
                return logger.log(
                    .configurationRefused, [.reason(mistakes.map { "\($0)" }.joined(separator: "; "))])
            }
            let new = try ServiceSettings(role: former.role, options: former.options)
            let old = Dictionary(former.listing().map { ($0.key, $0.value) }, uniquingKeysWith: { a, _ in a })
            let changed = new.listing().filter { old[$0.key] != $0.value }.map(\.key)
            let reloadable = Set(SettingDefinition.all.filter(\.isReloadable).map(\.key))
            let waiting = changed.filter { !reloadable.contains($0) }
            // Levels set by command are kept unless the file changes them.
            if former.log.level != new.log.level || former.log.levels != new.log.levels {
                new.log.apply(to: logger.levels)
            }
            service.reload(new, former: former)
            settings = new
            logger.log(
                .configurationLoaded,
                [.count(changed.count)]
                    + (waiting.isEmpty ? [] : [.reason("at the next start: \(waiting.joined(separator: ", "))")]))
        } catch {
            logger.log(.configurationRefused, [.error(error)])
        }
    }
}
