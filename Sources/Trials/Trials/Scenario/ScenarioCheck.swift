/// One thing that a scenario states.
package struct ScenarioCheck: Equatable, Sendable {
    package let name: String
    /// What is so instead; nil if it holds.
    package let failure: String?

    package init(_ name: String, _ failure: String?) { (self.name, self.failure) = (name, failure) }

    /// Whether a program is content, and ended as a program should, if it did.
    package static func health(of device: String, _ failure: String?) -> ScenarioCheck {
        ScenarioCheck("the \(device) runs as it should", failure)
    }
}
