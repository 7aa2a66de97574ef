import Configuration
import EventLog
import Foundation
public import LinkProtocol
import LinkTransport
import Locking
import Processes
public import QuizSync
public import ServiceRuntime
import Storage

/// The frame of both services' programs: options, configuration, log, exit codes.
public enum ServiceProgram {
    /// The command-line options.
    public static let options = [
        OptionDefinition(
            "config", placeholder: "FILE", help: "the configuration file, JSON5; without it, all defaults apply"),
        OptionDefinition(
            "state-directory", placeholder: "DIR",
            help: "directory of sockets, databases and logs (default: $\(StateDirectory.environmentVariable))"),
        OptionDefinition("check", help: "report the configuration's errors, or “ok”, and exit"),
        OptionDefinition("print-config", help: "print every setting with its value and source, and exit"),
        OptionDefinition("json", help: "with --check or --print-config: print one JSON value"),
        OptionDefinition(
            "log-level", placeholder: "LEVEL", help: "emergency, alert, critical, error, warning, notice, info or debug"
        ),
        OptionDefinition("log-format", placeholder: "FORMAT", help: LogSettings.formats.joined(separator: ", ")),
        OptionDefinition("log-file", placeholder: "FILE", help: "the log file beside standard error; or none"),
        OptionDefinition("man", help: "print the manual page, for “man -l -”"),
        OptionDefinition("help", short: "h", help: "print this help"),
        OptionDefinition("version", help: "print version and commit"),
    ]

    /// Returns example command lines of a service.
    public static func examples(
        _ role: DeviceRole, program: String? = nil
    ) -> [(command: String, meaning: String)] {
        let program = program ?? name(of: role)
        return [
            ("\(program) --config Config/\(role.rawValue).json5", "run until a signal stops it"),
            ("\(program) --config Config/\(role.rawValue).json5 --check", "check the configuration"),
            ("\(program) --print-config", "print every setting and its default"),
            ("\(program) --state-directory /tmp/watchlink --log-level debug --log-format json", "log in detail"),
        ]
    }

    /// Returns a one-line description of a service.
    public static func purpose(
        _ role: DeviceRole, of applications: [RecordApplication] = [.quizzes]
    ) -> String {
        let payloads = list(applications.map(\.kind.plural))
        return switch role {
        case .host: "the phone: stores the \(payloads) that watches send"
        case .companion: "the watch: accepts \(payloads) and delivers them to the host"
        }
    }

    /// Returns words as a list in a sentence.
    static func list(_ words: [String]) -> String {
        words.formatted(.list(type: .and).locale(Locale(identifier: "en_GB")))
    }

    private static func name(of role: DeviceRole) -> String { "watchlink-\(role.rawValue)" }

    /// The descriptors that a service needs to start. 64: an idle service uses about forty, and each companion, client
    /// and file being received takes one more.
    private static let descriptors = 64

    /// The signals and their effects.
    public static let signals = [
        ("SIGTERM, SIGINT", "finish pending work and exit with 0; a second signal exits immediately"),
        ("SIGHUP", "reload the configuration and reopen the log file; an invalid configuration changes nothing"),
    ]

    /// Runs the host of applications until a signal stops it.
    ///
    /// - Parameter program: The name in texts; nil for that of WatchLink's own program.
    public static func runHost(
        _ arguments: [String], of applications: [RecordApplication] = [.quizzes], program: String? = nil
    ) -> Never {
        run(arguments, .host, applications, program) { settings, log in
            try HostService(applications, settings, log)
        }
    }

    /// Runs the companion of applications until a signal stops it.
    ///
    /// - Parameter program: The name in texts; nil for that of WatchLink's own program.
    public static func runCompanion(
        _ arguments: [String], of applications: [RecordApplication] = [.quizzes], program: String? = nil
    ) -> Never {
        run(arguments, .companion, applications, program) { settings, log in
            try CompanionService(applications, settings, log)
        }
    }

    private static func run(
        _ arguments: [String], _ role: DeviceRole, _ applications: [RecordApplication], _ program: String?,
        make: (ServiceSettings, ServiceLog) throws -> any Service
    ) -> Never {
        Signals.hold()
        ParentProcess.follow()
        let program = program ?? name(of: role)
        let parser = OptionParser(options)
        do {
            let parsed = try parser.parse(arguments)
            if parsed.has("help") { return try finish(help(program, role, applications, parser), program) }
            if parsed.has("man") {
                let page = ServicePage(program: program, role: role, applications: applications)
                return try finish(page.text(), program, terminator: "")
            }
            if parsed.has("version") {
                let text = try Version.text(program, sqlite: DatabaseLibrary.version, asJSON: parsed.has("json"))
                return try finish(text, program)
            }
            guard parsed.operands.isEmpty else { throw UsageError("unexpected “\(parsed.operands[0])”") }
            if parsed.has("check") || parsed.has("print-config") {
                Signals.release()
                if parsed.has("check") { return try check(program, role, applications, parsed) }
                return try finish(listing(role, parsed), program)
            }
            let signals = Signals()
            // New files are private to the owner; sockets get the modes that their access rules need.
            umask(0o077)
            OpenFiles.raiseLimit()
            try OpenFiles.require(descriptors)
            // Reports the same errors as `--check`.
            let mistakes = ServiceSettings.mistakes(role: role, options: parsed)
            if let error = mistakes.first(where: { $0 is UsageError }) { throw error }
            guard mistakes.isEmpty else {
                fail(program, mistakes.map { "\($0)" }.joined(separator: "\n"), .notConfigured)
            }
            let settings = try ServiceSettings(role: role, options: parsed)
            let inherited = try InheritedSockets.process.adopt(environment: ProcessInfo.processInfo.environment)
            let log = try ServiceLog(settings)
            if !inherited.isEmpty { log.logger.log(.socketsActivated, [.path(inherited.joined(separator: ", "))]) }
            let service = try make(settings, log)
            ServiceSupervisor(program, settings, service, log, signals).run()
        } catch let error as UsageError {
            fail(program, "\(error)\nTry “\(program) --help”.", .usage)
        } catch let error as StandardOutput.Failure {
            ProgramEnd.failed(error, program)
        } catch {
            fail(program, "\(error)", .notConfigured)
        }
    }

    private static func check(
        _ program: String, _ role: DeviceRole, _ applications: [RecordApplication], _ options: ParsedOptions
    ) throws -> Never {
        var mistakes = ServiceSettings.mistakes(role: role, options: options)
        if let error = mistakes.first(where: { $0 is UsageError }) { throw error }
        if mistakes.isEmpty {
            let server = ServerCheck(try ServiceSettings(role: role, options: options, isDry: true), applications)
            mistakes = server.mistakes
            for outage in server.outages {
                FileHandle.standardError.write(
                    Data("\(outage); the host starts without it, and uses it when it is back\n".utf8))
            }
        }
        if options.has("json") {
            try StandardOutput.print(JSONValue.array(mistakes.map { .string("\($0)") }).text(pretty: true))
        } else if mistakes.isEmpty {
            try StandardOutput.print("ok")
        } else {
            for mistake in mistakes { FileHandle.standardError.write(Data("\(mistake)\n".utf8)) }
        }
        ProgramEnd.exit(mistakes.isEmpty ? .success : .notConfigured, program)
    }

    private static func listing(_ role: DeviceRole, _ options: ParsedOptions) throws -> String {
        let settings = try ServiceSettings(role: role, options: options, isDry: true).listing()
        if options.has("json") {
            return try JSONValue.array(
                settings.map {
                    ["setting": .string($0.key), "value": $0.value, "source": .string($0.source.description)]
                }
            ).text(pretty: true)
        }
        return TextTable.text(
            try [["SETTING", "VALUE", "FROM"]] + settings.map { [$0.key, try $0.value.text(), $0.source.description] })
    }

    private static func help(
        _ program: String, _ role: DeviceRole, _ applications: [RecordApplication], _ parser: OptionParser
    ) -> String {
        """
        \(program): \(purpose(role, of: applications)).

        Examples:
        \(TextTable.text(examples(role, program: program).map { ["  " + $0.command, $0.meaning] }))

        Options:
        \(parser.help)

        Signals:
        \(TextTable.text(signals.map { ["  " + $0.0, $0.1] }))

        Exit codes: \([ExitCode.success, .failure, .usage, .notConfigured].map(\.description).joined(separator: ", ")).
        Manual pages: \(program == name(of: role) ? "\(program)(8)" : "“\(program) --man | man -l -”"), watchlink.json5(5), watchlink-events(7).
        """
    }

    private static func finish(_ text: String, _ program: String, terminator: String = "\n") throws -> Never {
        try StandardOutput.print(text, terminator: terminator)
        ProgramEnd.exit(.success, program)
    }

    static func fail(_ program: String, _ message: String, _ code: ExitCode) -> Never {
        ProgramEnd.fail(message, code, program)
    }
}
