import Configuration
import LinkProtocol

/// The expected outcome of a scenario.
package struct ScenarioExpectation: Sendable {
    /// The number of quizzes in the host's database.
    let stored: Int?
    /// The number of quizzes that failed permanently.
    let failed: Int?
    /// The numbers of items that a device's delegate got, by device and kind: `{ phone: { "user-info": 3 } }`.
    let delivered: [(device: String, kind: String, count: Int)]
    /// The outcomes of items that a device sent, by kind and end: `{ watch: { message: { replied: 3, failed: 0 } } }`.
    let sent: [(device: String, kind: String, state: String, count: Int)]
    /// Files with a text that each contains, by device and path in its home: `{ phone: { "notes.txt": "milk" } }`.
    let files: [(device: String, path: String, text: String)]
    /// Files that a device must not have.
    let absentFiles: [(device: String, path: String)]
    /// Texts that a device's log contains.
    let logged: [(device: String, text: String)]
    /// Texts that a device's log does not contain.
    let unlogged: [(device: String, text: String)]
    /// The reachability of the phone from a watch, or of any watch from the phone.
    let reachable: [(device: String, flag: Bool)]

    init(_ file: ConfigurationFile, devices: [String]) throws {
        stored = try file.count("stored", within: 0...1_000_000)
        failed = try file.count("failed", within: 0...1_000_000)
        let counts = try file.section("delivered")
        let (texts, absent) = (try file.section("log"), try file.section("noLog"))
        let flags = try file.section("reachable")
        let (ends, files, absentFiles) = (
            try file.section("sent"), try file.section("files"), try file.section("noFiles")
        )
        self.sent = try devices.flatMap { device in
            try Self.ends(try ends.section(device)).map { (device, $0.kind, $0.state, $0.count) }
        }
        self.files = try devices.flatMap { device in
            let section = try files.section(device)
            return try section.names.map { path in
                (device, try Self.checked(path, section), try section.string(path) ?? "")
            }
        }
        self.absentFiles = try devices.flatMap { device in
            try (absentFiles.texts(device) ?? []).map { (device, try Self.checked($0, absentFiles, device)) }
        }
        var delivered: [(String, String, Int)] = []
        var (logged, unlogged): ([(String, String)], [(String, String)]) = ([], [])
        var reachable: [(String, Bool)] = []
        for device in devices {
            let section = try counts.section(device)
            for kind in Self.kinds {
                if let count = try section.count(kind, within: 0...1_000_000) {
                    delivered.append((device, kind, count))
                }
            }
            if let text = try texts.string(device) { logged.append((device, text)) }
            if let text = try absent.string(device) { unlogged.append((device, text)) }
            if let flag = try flags.flag(device) { reachable.append((device, flag)) }
        }
        (self.delivered, self.logged, self.unlogged, self.reachable) = (delivered, logged, unlogged, reachable)
    }

    private static let kinds = ["message", "context", "user-info", "complication", "file"]
    /// The possible ends of sent items; see ``LedgerEntry/State``.
    private static let ends: [LedgerEntry.State] = [.delivered, .replied, .failed, .coalesced]

    /// Reads a device's part of “sent”.
    private static func ends(
        _ section: ConfigurationFile
    ) throws(ConfigurationError) -> [(kind: String, state: String, count: Int)] {
        var found: [(String, String, Int)] = []
        for kind in kinds {
            let counts = try section.section(kind)
            for state in ends {
                guard let count = try counts.count(state.rawValue, within: 0...1_000_000) else { continue }
                found.append((kind, state.rawValue, count))
            }
        }
        return found
    }

    /// Returns the path if it stays within the device's home.
    private static func checked(
        _ path: String, _ file: ConfigurationFile, _ key: String? = nil
    ) throws(ConfigurationError) -> String {
        guard !path.isEmpty, !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw file.wrong(
                key ?? path, "“\(path)” is not a path within the device's home, such as Documents/notes.txt")
        }
        return path
    }
}
