/// The failure of a performance.
package struct Complaint {
    /// The device's name.
    package let device: String
    /// The failure.
    package let ending: Ending
    /// The last words of a crashed Swift program, if it had any.
    private let lastWords: String?
    /// The time and the stack of its crash.
    private let crash: String?

    /// The prefix of a standard-error line in which a program reports a failure itself.
    private static let mark = "FINDING"

    /// Finds the first failure, if there is one: a device that ended abnormally, or a failure that a device reported
    /// itself.
    package init?(about performance: Performance) {
        let word = performance.processes.lazy.compactMap { process in
            Self.word(of: process).map { (process.name, Ending.failed($0)) }
        }.first
        if let failure = performance.failure {
            device = failure.name
            // The reported failure says more than the exit code that follows it.
            if case .exited = failure.world.ending, let word, word.0 == device {
                ending = word.1
            } else {
                ending = failure.world.ending
            }
            let isCrash = if case .killed = ending { true } else { false }
            lastWords = isCrash ? failure.lastWords : nil
            crash = isCrash ? failure.crash : nil
        } else if let word {
            (device, ending) = word
            (lastWords, crash) = (nil, nil)
        } else {
            return nil
        }
    }

    private static func word(of process: ProcessOutcome) -> String? {
        process.reportedLines(with: mark).first { $0.hasPrefix(mark) }
    }

    package var description: String {
        "the \(device) \(ending)" + (lastWords.map { ": \($0)" } ?? "") + (crash.map { "\n\($0)" } ?? "")
    }

    /// A text that is the same for equal failures at different times or with different numbers.
    package var cause: String {
        // The numbers of the words may differ, for example an index, but not the line.
        "the \(device) \(ending.cause)" + (lastWords.map { ": " + Self.withoutNumbers($0) } ?? "")
    }

    private static func withoutNumbers(_ words: String) -> String {
        let parts = words.split(separator: ": ", maxSplits: 1)
        return (parts.prefix(1).map { String($0) } + parts.dropFirst().map { Ending.withoutNumbers(String($0)) })
            .joined(separator: ": ")
    }

    /// Returns true if another complaint has the same cause.
    package func isLike(_ other: Complaint?) -> Bool { cause == other?.cause }
}
