import Words

/// What goes wrong when a session is activated.
public struct ActivationFault: Equatable, Sendable {
    /// How long it takes.
    public var delay: Duration = .zero
    /// How many activations fail, from the next one on.
    public var failures = 0

    public init(delay: Duration = .zero, failures: Int = 0) {
        self.delay = delay
        self.failures = failures
    }

    /// As ``FaultDeed`` reads them.
    package var words: [String] { ["delay=\(WordValue.text(delay))", "failures=\(failures)"] }
}
