public import LinkProtocol

/// A setting of the configuration file: what the manual page says of it, and who has it.
public struct SettingDefinition: Sendable {
    /// As in the file, joined by dots.
    public let key: String
    /// The services that have it.
    public let roles: [DeviceRole]
    /// What may stand there.
    public let form: String
    public let meaning: String
    /// Whether a change takes effect when the configuration is read again; else at the next start.
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

    /// All, in the order of the sample files.
    public static let all: [SettingDefinition] = [
        both("device.name", "text", "Shown to the counterpart; never logged."),
        both("device.identifier", "UUID", "Left out, one is made at the first start and kept in the state directory."),
        both("link.socket", "path", "Where the host listens and companions connect; at most 107 bytes long."),
        host(
            "link.allowedUsers", "list of numbers",
            "Users that may connect, beside root and the one that runs the host."),
        both("link.helloTimeout", "seconds", "How long a peer may take to say hello."),
        both("link.heartbeat", "seconds", "After how long without sending a heartbeat goes out."),
        both("link.silenceTimeout", "seconds", "After how long without a word a peer counts as dead."),
        both("link.replyTimeout", "seconds", "How long the reply to a message may take."),
        both(
            "link.acknowledgementTimeout", "seconds",
            "After how long without a word of its receiver a transfer is sent again."),
        both(
            "link.condition", "name or object", reloadable: true,
            "What the link is like: perfect, bluetooth, bluetooth-far, wifi, out-of-range, flapping, or settings of watchlink link."
        ),
        both("link.seed", "number", "Decides what the condition and the faults leave to chance."),
        both("link.faults", "list of texts", "Faults that hold from the start, in the words of watchlink faults."),
        companion("link.pairingCode", "text", "Shown to a host that asks new watches for a code."),
        companion("link.firstReconnect", "seconds", "The delay before the first try to connect again; it doubles."),
        companion("link.longestReconnect", "seconds", "The longest such delay."),
        host("companions.serving", "all or active", "All paired watches at the same time, or the active one alone."),
        host(
            "companions.pairing", "automatic, manual or code",
            "A new watch is paired, must be named by watchlink watches pair, or must show the code of watchlink watches code."
        ),
        companion("outbox.firstRetry", "seconds", "The delay before a quiz is sent again; it doubles."),
        companion("outbox.longestRetry", "seconds", "The longest such delay."),
        both("payloads.message", "bytes", "Longest message or reply."),
        both("payloads.userInfo", "bytes", "Longest user info, and a file's metadata."),
        both("payloads.context", "bytes", "Longest application context."),
        both("ledger.capacity", "number", "Messages whose fate is kept for watchlink ledger; 0 for none."),
        both("database.file", "path", "The quizzes of a host, the outbox of a companion."),
        host(
            "database.keepDays", "days", reloadable: true, "Quizzes that arrived longer ago are removed; 0 keeps all."),
        host(
            "database.keepCount", "number", reloadable: true,
            "Only so many of the latest quizzes are kept; 0 keeps all."),
        both("control.socket", "path", "Where the command line reaches the service."),
        both(
            "log.level", "level", reloadable: true, "emergency, alert, critical, error, warning, notice, info or debug."
        ),
        both("log.levels", "object", reloadable: true, "Levels of single subsystems, such as { link: \"debug\" }."),
        both(
            "log.format", "form",
            "On standard error: auto, text, json, terminal or journal. Auto suits who reads it."),
        both("log.file", "path or none", "Where the lines go beside standard error."),
        both("log.fileFormat", "text or json", "Their form there."),
        both("log.maximumBytes", "bytes", "The size at which the file is put aside."),
        both("log.keptFiles", "number", "How many of those are kept."),
        both(
            "metrics.file", "path or none",
            "Written with the metrics, by rename, for node_exporter's textfile collector."),
        both("metrics.interval", "seconds", "How often it is written."),
        both(
            "usage.events", "true or false",
            "Whether named events and spans of the application are counted; nothing leaves the machine."),
    ]

    public static func of(_ role: DeviceRole) -> [SettingDefinition] { all.filter { $0.roles.contains(role) } }
}
