public import LinkProtocol

/// A setting of the configuration file, as the manual page documents it.
public struct SettingDefinition: Sendable {
    /// The keys in the file, joined by dots.
    public let key: String
    /// The services that have it.
    public let roles: [DeviceRole]
    /// The form of the value, such as “seconds” or “path”.
    public let form: String
    /// A one-line description.
    public let meaning: String
    /// True if a change takes effect on reload; otherwise it does at the next start.
    public let isReloadable: Bool

    private init(_ key: String, _ form: String, _ meaning: String, _ roles: [DeviceRole], reloadable: Bool) {
        self.key = key
        self.roles = roles
        self.form = form
        self.meaning = meaning
        isReloadable = reloadable
    }

    private static func both(
        _ key: String, _ form: String, reloadable: Bool = false, _ meaning: String
    ) -> SettingDefinition {
        SettingDefinition(key, form, meaning, DeviceRole.allCases, reloadable: reloadable)
    }

    private static func host(
        _ key: String, _ form: String, reloadable: Bool = false, _ meaning: String
    ) -> SettingDefinition {
        SettingDefinition(key, form, meaning, [.host], reloadable: reloadable)
    }

    private static func companion(_ key: String, _ form: String, _ meaning: String) -> SettingDefinition {
        SettingDefinition(key, form, meaning, [.companion], reloadable: false)
    }

    /// All settings in the order of the sample files.
    public static let all: [SettingDefinition] = [
        both("device.name", "text", "Shown to the counterpart; never logged."),
        both(
            "device.identifier", "UUID",
            "If left out, one is generated at the first start and stored in the state directory."),
        both(
            "link.socket", "path",
            "Socket on which the host listens and to which companions connect; at most 107 bytes."),
        host(
            "link.allowedUsers", "list of numbers",
            "User IDs that may connect, besides root and the host's own user."),
        both("link.helloTimeout", "seconds", "Time a peer has to send its hello."),
        both("link.heartbeat", "seconds", "Time without sending after which a heartbeat is sent."),
        both("link.silenceTimeout", "seconds", "Time without receiving after which a peer is considered dead."),
        both("link.replyTimeout", "seconds", "Time to wait for the reply to a message."),
        both(
            "link.acknowledgementTimeout", "seconds",
            "Time without an acknowledgement before a transfer is resent."),
        both(
            "link.condition", "name or object", reloadable: true,
            "Link condition: perfect, bluetooth, bluetooth-far, wifi, out-of-range, flapping, or keys of watchlink link."
        ),
        both("link.seed", "number", "Seed of the random choices of the condition and the faults."),
        both("link.faults", "list of texts", "Faults in effect from the start, in the words of watchlink faults."),
        companion("link.pairingCode", "text", "Code sent to a host that requires one from new watches."),
        companion("link.firstReconnect", "seconds", "Delay before the first reconnect; it doubles with each attempt."),
        companion("link.longestReconnect", "seconds", "Longest reconnect delay."),
        host("companions.serving", "all or active", "Serve all paired watches at once, or only the active one."),
        host(
            "companions.pairing", "automatic, manual or code",
            "Pair new watches automatically, by watchlink watches pair, or by the code of watchlink watches code."
        ),
        companion("outbox.firstRetry", "seconds", "Delay before a quiz is resent; it doubles with each attempt."),
        companion("outbox.longestRetry", "seconds", "Longest retry delay."),
        both("payloads.message", "bytes", "Longest message or reply."),
        both("payloads.userInfo", "bytes", "Longest user info, and longest metadata of a file."),
        both("payloads.context", "bytes", "Longest application context."),
        both("ledger.capacity", "number", "Messages recorded for watchlink ledger; 0 for none."),
        both("record.into", "path", "Directory in which each run makes a cassette; without it, nothing is recorded."),
        both("record.keep", "list of texts", "Key paths whose values a cassette shows; all others become tokens."),
        both("record.build", "text", "Version of the application, for the readers of a cassette."),
        both("database.file", "path", "Database of a host's quizzes or a companion's outbox."),
        host(
            "database.url", "URL",
            "PostgreSQL server, instead of a file, for the records of many hosts: postgresql://USER@HOST/NAME, without a password."
        ),
        host("database.passfile", "path", "File with the server's password, as psql has it; mode 0600."),
        host(
            "database.keepDays", "days", reloadable: true, "Days to keep a quiz after its arrival; 0 keeps all."),
        host(
            "database.keepCount", "number", reloadable: true,
            "Number of latest quizzes to keep; 0 keeps all."),
        both("control.socket", "path", "Socket on which the service answers the command line."),
        both(
            "log.level", "level", reloadable: true, "emergency, alert, critical, error, warning, notice, info or debug."
        ),
        both("log.levels", "object", reloadable: true, "Levels of single subsystems, such as { link: \"debug\" }."),
        both(
            "log.format", "form",
            "Format on standard error: auto, text, json, terminal or journal. Auto chooses by the reader."),
        both("log.file", "path or none", "Log file beside standard error."),
        both("log.fileFormat", "text or json", "Format of the log file."),
        both("log.maximumBytes", "bytes", "Size at which the log file is rotated."),
        both("log.keptFiles", "number", "Number of rotated log files to keep."),
        both(
            "metrics.file", "path or none",
            "Metrics file for node_exporter's textfile collector, replaced atomically."),
        both("metrics.interval", "seconds", "Time between writes of the metrics file."),
        both(
            "usage.events", "true or false",
            "Count named events and spans of the application; nothing leaves the machine."),
    ]

    /// Returns the settings of one service.
    public static func of(_ role: DeviceRole) -> [SettingDefinition] { all.filter { $0.roles.contains(role) } }
}
