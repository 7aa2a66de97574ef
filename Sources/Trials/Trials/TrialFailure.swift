/// Why a trial of the services could not go on, or what it found.
package struct TrialFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
