import ServiceRuntime

/// What must be so when a scenario is over.
package struct ScenarioExpectation: Sendable {
    /// Quizzes in the host's database.
    let stored: Int?
    /// Quizzes that were refused for good.
    let failed: Int?
    /// Transfers and messages that a device's delegate had, by device and kind: `{ phone: { "user-info": 3 } }`.
    let delivered: [(device: String, kind: String, count: Int)]
    /// Texts that a device's log holds.
    let logged: [(device: String, text: String)]
    /// Texts that a device's log does not hold.
    let unlogged: [(device: String, text: String)]
    /// Whether the devices reach the phone, or the phone any of them.
    let reachable: [(device: String, flag: Bool)]

    init(_ file: ConfigurationFile, devices: [String]) throws {
        stored = try file.count("stored", within: 0...1_000_000)
        failed = try file.count("failed", within: 0...1_000_000)
        let counts = try file.section("delivered")
        let (texts, absent) = (try file.section("log"), try file.section("noLog"))
        let flags = try file.section("reachable")
        var delivered: [(String, String, Int)] = []
        var (logged, unlogged): ([(String, String)], [(String, String)]) = ([], [])
        var reachable: [(String, Bool)] = []
        for device in devices {
            let section = try counts.section(device)
            for kind in ["message", "context", "user-info", "complication", "file"] {
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
}
