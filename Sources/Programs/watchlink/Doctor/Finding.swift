/// What a look at one part of a set-up found.
struct Finding {
    enum State: String {
        case good = "ok"
        /// Odd, and it works.
        case odd = "odd"
        /// It does not work.
        case bad = "bad"
    }

    let subject: String
    let state: State
    let detail: String
    /// What to do about it, in words; empty for what is good.
    var advice = ""
    /// The command that does it, as it stands; empty if there is none.
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
