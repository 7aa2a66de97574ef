/// How a world ended.
public enum Ending: Hashable, Sendable {
    /// By its own word, with nothing to complain about.
    case finished
    /// By its own word: something is wrong.
    case failed(String)
    /// Every thread waits, and no clock can help. The text says who waits for whom.
    case deadlock(String)
    /// A thread sleeps in a call that the world does not control. The text has the call's name.
    case uncontrolledCall(String)
    /// A thread computes without end, or waits for something in a loop that calls nothing.
    case spinning(String)
    /// The world came to the end of its time and had not finished.
    case horizon
    /// The process returned from `main` or called `exit`, without a word.
    case exited(code: Int32)
    /// A signal ended the process: a crash, or a kill from outside.
    case killed(signal: Int32)
    /// It needed more of something than a world may have. The text says of what.
    case exhausted(String)
    /// It wrote over the memory in which it reports. The text says where that shows.
    case damaged(String)
    /// It took more real time than it was given.
    case overdue
}

extension Ending {
    /// True for all but the end that a world should have, and a program that ends with code 0.
    public var isFailure: Bool {
        switch self {
        case .finished, .exited(code: 0): false
        default: true
        }
    }

    /// The same for two worlds that ended in the same way, at another time or with other numbers: the ending without its words that have digits.
    public var cause: String {
        switch self {
        // Signals and codes are causes of their own.
        case .exited, .killed: description
        default:
            description.split(whereSeparator: \.isWhitespace).map { $0.contains(where: \.isNumber) ? "#" : $0 }
                .joined(separator: " ")
        }
    }
}

extension Ending: CustomStringConvertible {
    public var description: String {
        switch self {
        case .finished: "finished"
        case .failed(let text): "failed: \(text)"
        case .deadlock(let text): "dead-lock: \(text)"
        case .uncontrolledCall(let text): "a thread sleeps in a call that the world does not control: \(text)"
        case .spinning(let text): "a thread computes without end: \(text)"
        case .horizon: "did not finish before the end of its time"
        case .exited(let code): "exited with code \(code)"
        case .killed(let signal): "ended by signal \(signal)"
        case .exhausted(let text): "needs more than a world may have: \(text)"
        case .damaged(let text): "wrote over its own record: \(text)"
        case .overdue: "took too much real time"
        }
    }
}
