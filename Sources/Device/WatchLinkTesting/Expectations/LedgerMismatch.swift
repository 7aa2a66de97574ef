public import LinkProtocol

/// The error for an expectation that the ledger does not meet, with the entries that it has.
public struct LedgerMismatch: Error, CustomStringConvertible {
    /// The most entries that the text lists. 20: a screen.
    private static let mostListed = 20

    /// The expectation in words.
    public let expectation: String
    /// The entries about the expected content, in any state.
    public let found: [LedgerEntry]
    /// The text of the error.
    public let description: String

    init(
        _ expectation: LedgerExpectation, _ ending: String, _ found: [LedgerEntry], at place: CallSite,
        _ devices: [DeviceEvidence]
    ) {
        self.expectation = expectation.description
        self.found = found
        let name = expectation.ledger?.rawValue ?? ""
        let listed = found.suffix(Self.mostListed).map { entry in
            (expectation.counts(entry) ? "counted: " : "not counted: ") + entry.line(of: name)
        }
        let rest = found.count - listed.count
        let entries =
            found.isEmpty
            ? ["\(name): no \(expectation.content.rawValue)"]
            : listed + (rest > 0 ? ["\(name): and \(rest) earlier ones"] : [])
        description =
            "\(place.description): expected \(expectation.description); \(ending).\n"
            + FailureReport(devices, at: place).text(entries: entries)
    }

    init(_ expectation: LedgerExpectation, impossible reason: String, at place: CallSite) {
        self.expectation = expectation.description
        found = []
        description = "\(place.description): “\(expectation.description)” can never hold: \(reason)"
    }
}
