import WatchConnectivity

/// Something noteworthy that happened in a run under lint, before its places are looked up.
struct LintObservation: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case finding(IsolationFinding.Kind)
        /// The program ended for another reason.
        case crash
        case hint
    }

    var kind: Kind
    /// The method or handler that was being called.
    var subject: String?
    /// The actor, the delegate's class, the function that awaits a continuation, or the program's last words.
    var detail: String?
    var stack: CallStack?
    var mainStack: CallStack?
}
