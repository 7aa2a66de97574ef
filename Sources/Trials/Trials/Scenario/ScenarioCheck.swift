/// The result of checking one expectation of a scenario.
package struct ScenarioCheck: Equatable, Sendable {
    package let name: String
    /// The actual state; nil if the expectation holds.
    package let failure: String?

    package init(_ name: String, _ failure: String?) { (self.name, self.failure) = (name, failure) }

    /// Returns the check that a program reported no failure and, if it ended, ended normally.
    package static func health(of device: String, _ failure: String?) -> ScenarioCheck {
        ScenarioCheck("the \(device) runs as it should", failure)
    }

    /// The line on standard error by which a failed expectation is a finding; nil if it holds.
    package var finding: String? { failure.map { "FINDING: \(name): \($0)" } }
}
