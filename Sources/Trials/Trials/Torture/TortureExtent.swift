package import ServiceRuntime

/// How much work and trouble there is in a torture of some hours.
package struct TortureExtent: Sendable {
    /// A month of virtual time takes some minutes.
    private static let hours = 0.01...744.0
    /// So many are listed and compared at the end.
    private static let quizzes = 1...100_000
    private static let kills = 0...1_000

    package let hours: Double
    package let quizzes: Int
    /// How often each service is killed, at most.
    package let kills: Int

    package static let options = [
        OptionDefinition("hours", placeholder: "H", help: "how long, in virtual time; 1"),
        OptionDefinition("quizzes", placeholder: "N", help: "how many are handed over; 100"),
        OptionDefinition("kills", placeholder: "N", help: "how often each service is killed, at most; 3"),
    ]

    /// What a torture is told that is to have this extent.
    package var words: [String] { ["--hours", "\(hours)", "--quizzes", "\(quizzes)", "--kills", "\(kills)"] }

    package init(_ options: ParsedOptions) throws(UsageError) {
        hours = try options.number("hours", 1, within: Self.hours)
        quizzes = try options.number("quizzes", 100, within: Self.quizzes)
        kills = try options.number("kills", 3, within: Self.kills)
    }
}
