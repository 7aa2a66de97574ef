package import LinkProtocol

/// One device's part in the report of a failed wait.
package struct DeviceEvidence: Sendable {
    /// The most lines of a device that a report shows. 12: with both devices, a screen.
    private static let mostLines = 12
    /// The most entries of a ledger that a report shows. 6: the latest tell the story.
    private static let mostEntries = 6

    /// The device's name: “phone”, “watch”, “watch2”.
    package let name: String
    package let role: DeviceRole
    /// The lines of the log, and of a program's output, in order. The service of a log line is the role.
    package let lines: [String]
    /// The ledger, in the order of the entries' last changes.
    package let ledger: Result<[LedgerEntry], any Error>

    /// The last lines that tell of an event. Lines for debugging repeat what the ledger shows.
    var tellingLines: [String] { lines.filter { !Self.isForDebugging($0) }.suffix(Self.mostLines) }

    private static func isForDebugging(_ line: String) -> Bool {
        let words = line.split(separator: " ", maxSplits: 2)
        return words.count > 2 && words[0].hasSuffix("Z") && words[1] == "debug"
    }

    /// The entries that have not ended well, or else the latest ones, as lines.
    var tellingEntries: [String] {
        switch ledger {
        case .failure(let error): return ["\(name): the ledger cannot be read: \(error)"]
        case .success(let entries):
            guard !entries.isEmpty else { return ["\(name): nothing was sent or received"] }
            let open = entries.filter { $0.state != .delivered && $0.state != .replied }
            let shown = (open.isEmpty ? entries : open).suffix(Self.mostEntries)
            let rest = entries.count - shown.count
            return shown.map { $0.line(of: name) }
                + (rest > 0 ? ["\(name): and \(rest) more"] : [])
        }
    }
}
