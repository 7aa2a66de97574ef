import ServiceRuntime
import Trials

/// Options shared by several commands, so that one name has one meaning.
enum CommandOptions {
    /// The options of every command.
    static let common = [
        OptionDefinition(
            "state-directory", placeholder: "DIR",
            help: "directory of sockets and databases (default: $\(StateDirectory.environmentVariable))"),
        OptionDefinition(
            "host-socket", placeholder: "PATH", help: "the host's control socket, if its configuration sets one"),
        OptionDefinition("companion-socket", placeholder: "PATH", help: "the same for the companion"),
        OptionDefinition("json", help: "print one JSON value"),
        OptionDefinition("help", short: "h", help: "print this help, or that of one command"),
        OptionDefinition("version", help: "print version and commit"),
    ]

    static let control = OptionDefinition(
        "control", placeholder: "PATH", help: "connect to this control socket instead of a service")
    static let device = OptionDefinition("device", placeholder: "UUID", help: "the device, if there are several")
    static let format = OptionDefinition("format", placeholder: "FORMAT", help: "export: json or csv")
    static let passfile = OptionDefinition(
        "passfile", placeholder: "PATH", help: "migrate: the file with the server's password, as psql has it")
    static let file = OptionDefinition(
        "file", placeholder: "PATH", help: "the file that belongs to the only document, such as a track or a picture")
    static let files = OptionDefinition(
        "files", placeholder: "DIR", help: "export, import: the directory for the files of records, named by SHA-256")
    static let application = OptionDefinition(
        "application", placeholder: "NAME", help: "the application by its plural name; default quizzes")
    static let seed = OptionDefinition("seed", placeholder: "N", help: "seed of random choices; default 1")
    static let logLevel = OptionDefinition(
        "log-level", placeholder: "LEVEL", help: "log level of the started services or programs")
    static let sides = ["host", "companion"]
    /// The names of devices, for the completion: the services', and those of “watchlink run”.
    static let names = sides + Scenario.names(watches: 1)
}
