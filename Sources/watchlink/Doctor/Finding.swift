import ServiceRuntime

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
    /// What to do about it; empty for what is good.
    let advice: String

    static func good(_ subject: String, _ detail: String) -> Finding {
        Finding(subject: subject, state: .good, detail: detail, advice: "")
    }

    static func odd(_ subject: String, _ detail: String, _ advice: String) -> Finding {
        Finding(subject: subject, state: .odd, detail: detail, advice: advice)
    }

    static func bad(_ subject: String, _ detail: String, _ advice: String) -> Finding {
        Finding(subject: subject, state: .bad, detail: detail, advice: advice)
    }
}
