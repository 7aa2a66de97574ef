/// The devices at the end of a failed wait: their ledgers, their last lines, and a timeline.
struct FailureReport: Sendable {
    let ledger: [String]
    /// The last lines of each device.
    private let told: [(name: String, lines: [String])]
    /// The path of the timeline, or the reason why there is none; nil if there is nothing to draw.
    let timeline: String?

    /// Draws the timeline, attaches it to the running test, and writes it to a file.
    init(_ devices: [DeviceEvidence], at place: CallSite) {
        ledger = devices.flatMap(\.tellingEntries)
        told = devices.map { ($0.name, $0.tellingLines) }
        timeline = TimelineFile.keep(devices, at: place)
    }

    var lines: [String] { told.flatMap(\.lines) }

    /// The paragraphs of the text.
    ///
    /// - Parameter entries: Lines about the ledger in place of the general ones.
    func text(entries: [String]? = nil) -> String {
        var paragraphs: [String] = []
        func add(_ title: String, _ lines: [String]) {
            if !lines.isEmpty { paragraphs.append("\(title)\n" + lines.map { "    \($0)" }.joined(separator: "\n")) }
        }
        add("The ledgers:", entries ?? ledger)
        for (name, lines) in told { add("The last lines of the \(name):", lines) }
        if let timeline { paragraphs.append("The timeline: \(timeline)") }
        return paragraphs.joined(separator: "\n")
    }
}
