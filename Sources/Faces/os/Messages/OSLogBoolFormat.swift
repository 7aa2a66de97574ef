/// The form of a Boolean value in a message.
public enum OSLogBoolFormat: Sendable {
    /// “true” or “false”.
    case truth
    /// “yes” or “no”.
    case answer

    func text(_ value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "yes" : "no"
        }
    }
}
