/// The result of examining one part of a set-up.
struct Finding {
    enum State: String {
        case good = "ok"
        /// Unusual, but working.
        case odd = "odd"
        /// Not working.
        case bad = "bad"
    }

    let subject: String
    let state: State
    let detail: String
    /// The advice; empty for a good state.
    var advice = ""
    /// The complete command that follows the advice; empty if there is none.
    var command = ""

    static func good(_ subject: String, _ detail: String) -> Finding {
        Finding(subject: subject, state: .good, detail: detail)
    }

    static func odd(_ subject: String, _ detail: String, _ advice: String, command: String = "") -> Finding {
        Finding(subject: subject, state: .odd, detail: detail, advice: advice, command: command)
    }

    static func bad(_ subject: String, _ detail: String, _ advice: String, command: String = "") -> Finding {
        Finding(subject: subject, state: .bad, detail: detail, advice: advice, command: command)
    }
}
