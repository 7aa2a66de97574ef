/// The outcome of one fault.
enum Outcome {
    /// A test failed; its first message.
    case caught(by: String)
    /// The tests did not end, or the process died.
    case broke(String)
    /// Everything that gets there passed; what that was.
    case survived(String)
    /// Nothing that was run gets there.
    case unreached
    /// Argued to change nothing, in the file of equivalents.
    case equivalent(String)
    /// The time was up.
    case untried

    var words: String {
        switch self {
        case .caught(let issue): "caught: \(issue)"
        case .broke(let how): "broke: \(how)"
        case .survived(let what): "SURVIVED \(what)"
        case .unreached: "SURVIVED: nothing gets there"
        case .equivalent(let reason): "equivalent: \(reason)"
        case .untried: "not tried"
        }
    }
}
