import ServiceRuntime

/// Options that several commands have, so that one word means one thing everywhere.
enum CommandOptions {
    /// What every command takes.
    static let common = [
        OptionDefinition(
            "state-directory", placeholder: "DIR",
            help: "where the services' sockets and databases lie (else $\(StateDirectory.environmentVariable))"),
        OptionDefinition(
            "host-socket", placeholder: "PATH", help: "the host's control socket, if its configuration moved it"),
        OptionDefinition("companion-socket", placeholder: "PATH", help: "the companion's, likewise"),
        OptionDefinition("json", help: "one JSON value, for programs"),
        OptionDefinition("help", short: "h", help: "this text, or that of one command"),
        OptionDefinition("version", help: "version and commit"),
    ]

    static let control = OptionDefinition(
        "control", placeholder: "PATH", help: "another device's control socket, in a service's place")
    static let device = OptionDefinition("device", placeholder: "UUID", help: "which device's, where there are several")
    static let seed = OptionDefinition("seed", placeholder: "N", help: "decides what is left to chance; 1")
    static let logLevel = OptionDefinition("log-level", placeholder: "LEVEL", help: "of the services that it starts")
    static let sides = ["host", "companion"]
}
