import EventLog
import ExploreWords
import LinkProtocol
import Processes
import QuizSync
import ServiceRuntime
import Services

/// A manual page, generated from the lists that the programs use, so that both always agree.
struct ManualPage {
    let name: String
    let section: Int
    let text: String

    var fileName: String { "\(name).\(section)" }

    init(_ name: String, _ section: Int, _ summary: String, _ body: (inout Roff) -> Void) {
        self.name = name
        self.section = section
        var roff = Roff(title: name, section: section, summary: summary)
        body(&roff)
        roff.seeAlso(Self.titles.filter { $0 != "\(name)(\(section))" }.sorted())
        text = roff.text
    }

    static let titles = [
        "watchlink(1)", "watchlink-host(8)", "watchlink-companion(8)", "watchlink.json5(5)", "watchlink-events(7)",
        "\(ExploreForm.program)(1)", "\(ExploreForm.player)(1)", "\(ExploreForm.torture)(1)",
        "\(ExploreForm.counterpart)(1)",
    ]

    /// The pages' names. The commands' help needs them, and cannot use the pages, which are generated from the
    /// commands.
    static let names = titles.map { String($0.prefix { $0 != "(" }) }

    static let all = [
        commandLine, service(.host), service(.companion), configuration, events, explore, scenario, torture,
        counterpart,
    ]

    // MARK: - Pages

    private static let commandLine = ManualPage("watchlink", 1, "control WatchLink's services and show their data") {
        roff in
        roff.heading("SYNOPSIS")
        roff.example(["watchlink COMMAND [WORDS] [OPTIONS]"])
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "WatchLink simulates phone–watch messaging between two processes: a host, the phone, and a companion, the watch. This program submits quizzes to the companion, shows the data of both, acts as the user of the devices, and degrades the link on demand."
        )
        roff.heading("COMMANDS")
        for command in Watchlink.commands {
            roff.subheading(command.name)
            roff.paragraph(
                command.summary.prefix(1).uppercased() + command.summary.dropFirst()
                    + (command.summary.hasSuffix("?") ? "" : "."))
            for form in command.forms { roff.item("watchlink \(form.words)", form.meaning) }
            for option in command.options { roff.option(option) }
            roff.example(command.examples.map { "watchlink \($0.words)" })
        }
        roff.heading("OPTIONS")
        for option in CommandOptions.common { roff.option(option) }
        roff.exitCodes(ExitCode.allCases)
        roff.environment()
    }

    private static func service(_ role: DeviceRole) -> ManualPage {
        let program = "watchlink-\(role.rawValue)"
        return ManualPage(program, 8, ServiceProgram.purpose(role)) { roff in
            ServicePage(program: program, role: role, applications: [.quizzes]).write(&roff)
        }
    }

    private static let configuration = ManualPage("watchlink.json5", 5, "the configuration of WatchLink's services") {
        roff in
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "JSON5: comments, trailing commas and unquoted names are allowed. Unknown keys and invalid values are refused with file, line and key. The key “link.socket” means { link: { socket: … } }. Paths are relative to the state directory."
        )
        roff.paragraph(
            "“--check” reports all errors, “--print-config” prints every value with its source. Settings marked “Reload” change with SIGHUP, the others at the next start."
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

    /// The default values that do not depend on the machine.
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
            "Each line is one event: its text is constant, and variable data follows as key=value. The texts are an interface: scripts and tests may match them. “package” is the same on both sides and for every retry."
        )
        roff.paragraph(
            "Errors need an operator, warnings are unusual but handled, notices are the life cycle, info is each quiz and transfer, debug is every frame. No line contains a quiz's content or a person's name."
        )
        for subsystem in LogCatalogue.subsystems {
            roff.heading("SUBSYSTEM \(subsystem.name.uppercased())")
            for event in LogCatalogue.events where event.subsystem == subsystem {
                roff.item("\(event.text) (\(event.level))", event.meaning)
            }
        }
    }
}
