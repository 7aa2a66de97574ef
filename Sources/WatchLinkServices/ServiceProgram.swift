import EventLog
import Foundation
import LinkProtocol
import Locking
import ServiceRuntime

/// What both services' programs do around their work: options, configuration, log, signals, exit codes.
public enum ServiceProgram {
    /// How long a stop may take before the process ends anyway. 10 s: a full disk or a blocked delegate must not hold it.
    private static let stopLimit: DispatchTimeInterval = .seconds(10)

    private static let options = [
        OptionDefinition(
            "config", placeholder: "FILE", help: "the configuration, JSON5; without it every default holds"),
        OptionDefinition(
            "state-directory", placeholder: "DIR",
            help: "where sockets, databases and logs lie (else $\(StateDirectory.environmentVariable))"),
        OptionDefinition(
            "log-level", placeholder: "LEVEL", help: "emergency, alert, critical, error, warning, notice, info or debug"
        ),
        OptionDefinition("log-format", placeholder: "FORMAT", help: "text or json"),
        OptionDefinition("help", short: "h", help: "this text"),
        OptionDefinition("version", help: "version and commit"),
    ]

    /// Runs the host until a signal ends it.
    public static func runHost(_ arguments: [String]) -> Never {
        run(arguments, role: .host, purpose: "the phone: stores the quizzes that watches send") { settings, logger in
            try HostService(settings, logger: logger)
        }
    }

    /// Runs the companion until a signal ends it.
    public static func runCompanion(_ arguments: [String]) -> Never {
        run(arguments, role: .companion, purpose: "the watch: takes quizzes and delivers them to the host") {
            settings, logger in try CompanionService(settings, logger: logger)
        }
    }

    private static func run(
        _ arguments: [String], role: DeviceRole, purpose: String,
        make: (ServiceSettings, Logger) throws -> any Service
    ) -> Never {
        let program = "watchlink-\(role.rawValue)"
        let parser = OptionParser(options)
        do {
            let parsed = try parser.parse(arguments)
            if parsed.has("help") { return finish(help(program, role, purpose, parser)) }
            if parsed.has("version") { return finish(Version.line(program)) }
            // What the service makes is for its owner alone; the sockets get the modes that their access rules need.
            umask(0o077)
            OpenFiles.raiseLimit()
            guard parsed.operands.isEmpty else { throw UsageError("unexpected “\(parsed.operands[0])”") }
            let settings = try ServiceSettings(role: role, options: parsed)
            let file = try LogFile(
                path: settings.log.file, format: settings.log.format, maximumBytes: settings.log.maximumBytes)
            let logger = Logger(service: role.rawValue, minimumLevel: settings.log.level) { file.write($0) }
            serve(program, role, try make(settings, logger), logger)
        } catch let error as UsageError {
            fail(program, "\(error)\nTry “\(program) --help”.", .usage)
        } catch {
            fail(program, "\(error)", .notConfigured)
        }
    }

    private static func serve(_ program: String, _ role: DeviceRole, _ service: any Service, _ logger: Logger) -> Never
    {
        let started = Date()
        logger.log(
            .starting,
            [.version("\(Version.number)+\(Version.commit.prefix(12))"), .process(getpid()), .role(role.rawValue)])
        let isStopping = Mutex(false)
        let signals = Signals { name in
            logger.log(.signalReceived, [.signal(name)])
            let isFirst = isStopping.withLock { isStopping in
                defer { isStopping = true }
                return !isStopping
            }
            // The second one means: now.
            guard isFirst else { ExitCode.failure.exit() }
            logger.log(.stopping)
            DispatchQueue.main.asyncAfter(deadline: .now() + stopLimit) { ExitCode.failure.exit() }
            service.stop {
                logger.log(.stopped, [.duration(Date().timeIntervalSince(started))])
                ExitCode.success.exit()
            }
        }
        service.start { error in
            guard let error else { return logger.log(.ready, [.duration(Date().timeIntervalSince(started))]) }
            logger.log(.startFailed, [.error(error)])
            fail(program, "\(error)", .failure)
        }
        withExtendedLifetime((signals, service)) { dispatchMain() }
    }

    private static func help(_ program: String, _ role: DeviceRole, _ purpose: String, _ parser: OptionParser) -> String
    {
        """
        \(program): \(purpose).

        Examples:
          \(program) --config Config/\(role.rawValue).json5
          \(program) --state-directory /tmp/watchlink --log-level debug --log-format json

        Options:
        \(parser.help)

        SIGTERM and SIGINT finish what is in hand and end with 0; a second one ends at once.
        Exit codes: 0 ended as asked, 1 failed, 2 wrong options, 6 wrong configuration.
        """
    }

    private static func finish(_ text: String) -> Never {
        print(text)
        ExitCode.success.exit()
    }

    private static func fail(_ program: String, _ message: String, _ code: ExitCode) -> Never {
        FileHandle.standardError.write(Data("\(program): \(message)\n".utf8))
        code.exit()
    }
}
