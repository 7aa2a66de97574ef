/// The reason why a trial of the services failed: an obstacle, or a finding.
package struct TrialFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
