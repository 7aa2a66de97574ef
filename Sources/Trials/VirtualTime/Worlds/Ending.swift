import CVirtualTime

/// The way in which a world ended. Two endless loops are equal, wherever the watchdog happened to look at them.
public enum Ending: Hashable, Sendable {
    /// The world called ``World/finish()``.
    case finished
    /// The world called ``World/fail(_:)`` with this complaint.
    case failed(String)
    /// Every thread waits, and none has a deadline; or some threads wait for each other; or the main thread waits while its
    /// queue or its run loop has work. The text lists the threads and what each waits for.
    case deadlock(String)
    /// A thread is blocked in a call that the world does not control. The text contains the call's name.
    case uncontrolledCall(String)
    /// A thread never stops computing, or busy-waits in a loop without calls.
    case spinning(String)
    /// The world reached its horizon without finishing.
    case horizon
    /// The process returned from `main` or called `exit` without reporting a result.
    case exited(code: Int32)
    /// A signal ended the process: a crash, or a kill from outside the world.
    case killed(signal: Int32)
    /// The world exceeded one of its limits. The text names the limit.
    case exhausted(String)
    /// The world overwrote the memory that holds its record. The text says where the damage shows.
    case damaged(String)
    /// The world exceeded its real-time limit.
    case overdue
}

extension Ending {
    public static func == (one: Ending, other: Ending) -> Bool { one.comparable == other.comparable }

    public func hash(into hasher: inout Hasher) { hasher.combine(comparable) }

    /// The ending's description, and for an endless loop only that it is one: the time that passes until its stack is
    /// looked at is the machine's.
    private var comparable: String {
        if case .spinning = self { "spinning" } else { description }
    }
}

extension Ending {
    /// True for every ending except ``finished`` and an exit with code 0.
    public var isFailure: Bool {
        switch self {
        case .finished, .exited(code: 0): false
        default: true
        }
    }

    /// A text that is the same for two worlds that ended in the same way at different times or with different numbers:
    /// the description with each word that contains a digit replaced.
    public var cause: String {
        switch self {
        // Each signal and each exit code is a separate cause.
        case .exited, .killed: description
        // The stack is that of the moment in which the watchdog looked.
        case .spinning: "never stopped computing"
        case .deadlock(let report): "deadlocked: " + Self.withoutOrder(report)
        default:
            Self.withoutNumbers(description)
        }
    }

    /// Returns a report of waiting threads that is the same whoever of them began to wait first: without the cycles, which name
    /// the threads by their numbers, and with the threads sorted.
    private static func withoutOrder(_ report: String) -> String {
        var heading: [Substring] = []
        var threads: [String] = []
        for line in report.split(separator: "\n") where !line.hasPrefix("  in a cycle:") {
            if line.hasPrefix("  thread ") {
                threads.append(String(line))
            } else if threads.isEmpty {
                heading.append(line)
            } else {
                threads[threads.count - 1] += "\n\(line)"
            }
        }
        return withoutNumbers((heading.map(String.init) + threads.map(withoutNumbers).sorted()).joined(separator: "\n"))
    }

    /// Returns a text with each word that contains a digit replaced.
    static func withoutNumbers(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).map { $0.contains(where: \.isNumber) ? "#" : $0 }
            .joined(separator: " ")
    }
}

extension Ending: CustomStringConvertible {
    public var description: String {
        switch self {
        case .finished: "finished"
        case .failed(let text): "failed: \(text)"
        case .deadlock(let text): "deadlocked: \(text)"
        case .uncontrolledCall(let text): "blocked in a call that the world does not control: \(text)"
        case .spinning(let text): "never stopped computing: \(text)"
        case .horizon: "did not finish before its virtual time was up"
        case .exited(let code): "exited with code \(code)"
        case .killed(let signal): "ended by signal \(signal)\(Self.name(of: signal))"
        case .exhausted(let text): "exceeded a limit of the world: \(text)"
        case .damaged(let text): "overwrote its own record: \(text)"
        case .overdue: "took too much real time, as an endless loop does"
        }
    }

    /// Returns the name of a signal after a comma; nothing for a number without a name.
    private static func name(of signal: Int32) -> String {
        virtual_time_signal_name(signal).map { ", SIG" + String(cString: $0) } ?? ""
    }
}
