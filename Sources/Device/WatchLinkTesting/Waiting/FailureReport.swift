/// The devices at the end of a failed wait: their ledgers, their last lines, and a timeline.
struct FailureReport: Sendable {
    let ledger: [String]
    let lines: [String]
    /// The path of the timeline, or the reason why there is none; nil if there is nothing to draw.
    let timeline: String?

    /// Draws the timeline, attaches it to the running test, and writes it to a file.
    init(_ devices: [DeviceEvidence], at place: CallSite) {
        ledger = devices.flatMap(\.tellingEntries)
        lines = devices.flatMap(\.tellingLines)
        timeline = TimelineFile.keep(devices, at: place)
    }

    /// The paragraphs of the text.
    ///
    /// - Parameter entries: Lines about the ledger in place of the general ones.
    func text(entries: [String]? = nil) -> String {
        var paragraphs: [String] = []
        func add(_ title: String, _ lines: [String]) {
            if !lines.isEmpty { paragraphs.append("\(title)\n" + lines.map { "    \($0)" }.joined(separator: "\n")) }
        }
        add("The ledgers:", entries ?? ledger)
        add("The last lines:", lines)
        if let timeline { paragraphs.append("The timeline: \(timeline)") }
        return paragraphs.joined(separator: "\n")
    }
}
