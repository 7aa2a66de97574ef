import EventLog
import LinkProtocol
import Processes
import ServiceRuntime
import WatchLinkServices

/// The manual pages. Each is made of the lists that the programs themselves use, so that it cannot say anything else.
struct ManualPage {
    let name: String
    let section: Int
    let text: String

    var fileName: String { "\(name).\(section)" }

    private init(_ name: String, _ section: Int, _ summary: String, _ body: (inout Roff) -> Void) {
        self.name = name
        self.section = section
        var roff = Roff(title: name, section: section, summary: summary)
        body(&roff)
        roff.seeAlso(Self.titles.filter { $0 != "\(name)(\(section))" }.sorted())
        text = roff.text
    }

    static let titles = [
        "watchlink(1)", "watchlink-host(8)", "watchlink-companion(8)", "watchlink.json5(5)", "watchlink-events(7)",
    ]

    /// The pages' names, which the commands' own help needs: the pages themselves are made of the commands.
    static let names = titles.map { String($0.prefix { $0 != "(" }) }

    static let all = [commandLine, service(.host), service(.companion), configuration, events]

    // MARK: - Pages

    private static let commandLine = ManualPage("watchlink", 1, "drive WatchLink's services and show what they hold") {
        roff in
        roff.heading("SYNOPSIS")
        roff.example(["watchlink COMMAND [WORDS] [OPTIONS]"])
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "WatchLink simulates phone–watch messaging between two processes: a host, the phone, and a companion, the watch. This program hands quizzes to the companion, shows what both hold, does to the devices what people do, and breaks the link on demand."
        )
        roff.heading("COMMANDS")
        for command in Watchlink.commands {
            roff.subheading(command.name)
            roff.paragraph(
                command.summary.prefix(1).uppercased() + command.summary.dropFirst()
                    + (command.summary.hasSuffix("?") ? "" : "."))
            for form in command.forms { roff.item("watchlink \(form.words)", form.meaning) }
            for option in command.options { roff.item(Self.term(option), option.help) }
            roff.example(command.examples.map { "watchlink \($0.words)" })
        }
        roff.heading("OPTIONS")
        for option in CommandOptions.common { roff.item(Self.term(option), option.help) }
        Self.exitCodes(ExitCode.allCases, &roff)
        Self.environment(&roff)
    }

    private static func service(_ role: DeviceRole) -> ManualPage {
        let program = "watchlink-\(role.rawValue)"
        return ManualPage(program, 8, ServiceProgram.purpose(role)) { roff in
            roff.heading("SYNOPSIS")
            roff.example(["\(program) [OPTIONS]"])
            roff.heading("DESCRIPTION")
            roff.paragraph(
                role == .host
                    ? "The host listens at a Unix socket, takes the quizzes that companions send, and replies to each when it is durably in its database. It runs until a signal ends it."
                    : "The companion takes quizzes from watchlink(1), keeps them durably and sends them to the host until it has replied. It runs until a signal ends it."
            )
            roff.paragraph(
                "Started by systemd it tells when it is ready, reloads or stops, shows in its status what it does, feeds the watchdog from its event loops, and serves the sockets that it is handed."
            )
            roff.heading("OPTIONS")
            for option in ServiceProgram.options { roff.item(Self.term(option), option.help) }
            roff.heading("SIGNALS")
            for (name, meaning) in ServiceProgram.signals { roff.item(name, meaning) }
            Self.exitCodes([.success, .failure, .usage, .notConfigured], &roff)
            Self.environment(&roff)
            roff.heading("FILES")
            roff.paragraph(
                "Everything lies in the state directory, which is its owner's alone: a service does not start with one, or with files in it, that others may read."
            )
            roff.item("\(role.rawValue).log", "the log; full ones are put aside as .1, .2 and so on")
            roff.item(
                role == .host ? "quizzes.sqlite" : "outbox.sqlite",
                role == .host ? "the quizzes" : "quizzes on their way")
            roff.item("\(role.rawValue)/session.sqlite", "transfers, contexts and the ledger")
            roff.item("\(role.rawValue).options", "what it was started with; “watchlink doctor” starts it the same way")
            roff.item("\(role.rawValue).control.sock", "where watchlink(1) reaches it")
            roff.item("link.sock", "where companions reach the host")
            roff.heading("EXAMPLES")
            for (command, meaning) in ServiceProgram.examples(role) { roff.item(command, meaning) }
        }
    }

    private static let configuration = ManualPage("watchlink.json5", 5, "the configuration of WatchLink's services") {
        roff in
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "JSON5: comments, trailing commas and names without quotes are allowed. Unknown keys and wrong values are refused with file, line and key. A key “link.socket” stands for { link: { socket: … } }. Relative paths lie in the state directory."
        )
        roff.paragraph(
            "“--check” says what is wrong, “--print-config” shows every value and where it came from. Settings marked “reload” change with SIGHUP, the others at the next start."
        )
        roff.heading("SETTINGS")
        let defaults = Self.defaults
        for setting in SettingDefinition.all {
            let whose = setting.roles.count == 2 ? "" : " \(setting.roles[0].rawValue) only."
            let value = defaults[setting.key].map { " Default: \($0)." } ?? ""
            let reload = setting.isReloadable ? " Reload." : ""
            roff.item("\(setting.key): \(setting.form)", setting.meaning + value + whose + reload)
        }
    }

    /// What holds without a file, where it does not depend on the machine.
    private static var defaults: [String: String] {
        var defaults: [String: String] = [:]
        for role in DeviceRole.allCases {
            for (key, value) in ServiceSettings.defaults(of: role) { defaults[key] = value }
        }
        return defaults
    }

    private static let events = ManualPage("watchlink-events", 7, "the events of WatchLink's logs") { roff in
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "One line is one event: its text is constant, what varies stands behind it as key=value. The texts are an interface: scripts and tests may match them. “package” is the same on both sides and over every retry."
        )
        roff.paragraph(
            "Errors need a person, warnings are odd but handled, notices are the life cycle, info is each quiz and transfer, debug is every frame. No line holds what a quiz says or what a person is called."
        )
        for subsystem in LogCatalogue.subsystems {
            roff.heading("SUBSYSTEM \(subsystem.name.uppercased())")
            for event in LogCatalogue.events where event.subsystem == subsystem {
                roff.item("\(event.text) (\(event.level))", event.meaning)
            }
        }
    }

    // MARK: - Parts

    private static func term(_ option: OptionDefinition) -> String {
        (option.short.map { "-\($0), " } ?? "") + "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
    }

    private static func exitCodes(_ codes: [ExitCode], _ roff: inout Roff) {
        roff.heading("EXIT STATUS")
        for code in codes {
            let words = code.description.split(separator: " ", maxSplits: 1)
            roff.item(String(words[0]), String(words[1]))
        }
    }

    private static func environment(_ roff: inout Roff) {
        roff.heading("ENVIRONMENT")
        roff.item(StateDirectory.environmentVariable, "the state directory, if no option names one")
        roff.item("NO_COLOR, TERM", "no colours if the first is set, or the second is “dumb”")
    }
}
