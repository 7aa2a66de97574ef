import Foundation

/// The tests of the copy, run by suites.
struct TestBundle {
    /// The words in the message of each failure.
    static let issue = "recorded an issue"

    let program: URL
    let folder: URL

    /// The suites, as `Module.Suite`; tests outside of one go by their module and their own name.
    func suites() throws -> [String] {
        let list = try Command.run([program.path, "--testing-library", "swift-testing", "--list-tests"], in: folder)
        guard list.succeeded else {
            throw PlanterError(description: "the tests cannot be listed:\n\(list.output.suffix(2_000))")
        }
        var suites: [String] = []
        for line in list.output.split(separator: "\n") where line.contains(".") {
            let suite = String(line.prefix { $0 != "/" && $0 != "(" })
            if suites.last != suite, !suites.contains(suite) { suites.append(suite) }
        }
        return suites
    }

    /// Runs the tests of these suites until one fails.
    func run(_ suites: [String], environment: [String: String], seconds: Double) throws -> Command {
        let filters = suites.flatMap { ["--filter", "^\(NSRegularExpression.escapedPattern(for: $0))[/(]"] }
        return try Command.run(
            [program.path, "--testing-library", "swift-testing"] + filters, in: folder, environment: environment,
            seconds: seconds, until: Self.issue)
    }
}
