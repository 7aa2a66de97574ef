package import ServiceRuntime

/// The extent of a torture of some hours: the amounts of work and faults.
package struct TortureExtent: Sendable {
    /// A month, which takes some minutes.
    private static let hours = 0.01...744.0
    /// Limited because all are listed and compared at the end.
    private static let quizzes = 1...100_000
    private static let kills = 0...1_000

    package let hours: Double
    package let quizzes: Int
    /// The limit on kills of each service.
    package let kills: Int

    package static let options = [
        OptionDefinition("hours", placeholder: "H", help: "duration in virtual time; default 1"),
        OptionDefinition("quizzes", placeholder: "N", help: "number of payloads submitted; default 100"),
        OptionDefinition("kills", placeholder: "N", help: "limit on kills of each service; default 3"),
    ]

    /// The options that give a torture this extent.
    package var words: [String] { ["--hours", "\(hours)", "--quizzes", "\(quizzes)", "--kills", "\(kills)"] }

    package init(_ options: ParsedOptions) throws(UsageError) {
        hours = try options.number("hours", 1, within: Self.hours)
        quizzes = try options.number("quizzes", 100, within: Self.quizzes)
        kills = try options.number("kills", 3, within: Self.kills)
    }
}
