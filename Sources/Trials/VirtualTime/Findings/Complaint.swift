/// A failure in a performance.
package struct Complaint {
    /// The device's name.
    package let device: String
    /// The failure.
    package let ending: Ending
    /// The last words of a crashed Swift program, if it had any.
    private var lastWords: String?
    /// The lines on standard error that follow the failure's own: the time, the threads and their stacks.
    private var details: String?

    /// Returns the first failure of each device: that it ended abnormally, or reported a failure itself. The earliest abnormal end
    /// comes first.
    package static func all(about performance: Performance) -> [Complaint] {
        let ended = performance.processes.filter(\.isFailure).sorted { $0.span.upperBound < $1.span.upperBound }
        let failures = ended.map { Complaint(failure: $0) } + performance.processes.compactMap { Complaint(wordOf: $0) }
        var known: Set<String> = []
        return failures.filter { known.insert($0.device).inserted }
    }

    /// Finds the first failure, if there is one.
    package init?(about performance: Performance) {
        guard let first = Self.all(about: performance).first else { return nil }
        self = first
    }

    private init(failure: ProcessOutcome) {
        // The reported failure says more than the exit code that follows it.
        if case .exited = failure.world.ending, let word = Complaint(wordOf: failure) {
            self = word
            return
        }
        (device, ending) = (failure.name, failure.world.ending)
        guard case .killed = ending else { return }
        lastWords = failure.lastWords
        details = failure.crash
    }

    /// Finds the failure that a process reported itself.
    private init?(wordOf process: ProcessOutcome) {
        for mark in ComplaintWord.marks {
            guard let (line, details) = process.report(beginningWith: mark) else { continue }
            (device, ending) = (process.name, .failed(line))
            self.details = details
            return
        }
        return nil
    }

    package var description: String {
        "the \(device) \(ending)" + (lastWords.map { ": \($0)" } ?? "") + (details.map { "\n\($0)" } ?? "")
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

    /// Returns the failure of another performance that has the same cause; nil if it has none.
    package func like(in performance: Performance) -> Complaint? {
        Self.all(about: performance).first { $0.cause == cause }
    }
}
