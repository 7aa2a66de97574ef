import Words

/// A fault of session activation.
public struct ActivationFault: Equatable, Sendable {
    /// The time until activation completes.
    public var delay: Duration = .zero
    /// The number of activations that fail, from the next one on.
    public var failures = 0

    /// Creates a fault; the default values describe normal activation.
    public init(delay: Duration = .zero, failures: Int = 0) {
        self.delay = delay
        self.failures = failures
    }

    /// The options as ``FaultDeed`` parses them.
    package var words: [String] { ["delay=\(WordValue.text(delay))", "failures=\(failures)"] }
}
