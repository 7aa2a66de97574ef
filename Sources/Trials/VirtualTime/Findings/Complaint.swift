/// What is wrong with a performance.
package struct Complaint {
    /// The device's name.
    package let device: String
    package let ending: Ending

    /// A line of standard error that begins so is the program's own word.
    private static let mark = "FINDING"

    /// The first thing that is wrong, if anything is: a device that ended as it should not, or its own word.
    package init?(about performance: Performance) {
        let word = performance.processes.lazy.compactMap { process in
            Self.word(of: process).map { (process.name, Ending.failed($0)) }
        }.first
        if let failure = performance.failure {
            device = failure.name
            // What it says tells more than the exit code that goes with it.
            if case .exited = failure.world.ending, let word, word.0 == device {
                ending = word.1
            } else {
                ending = failure.world.ending
            }
        } else if let word {
            (device, ending) = word
        } else {
            return nil
        }
    }

    private static func word(of process: ProcessOutcome) -> String? {
        String(decoding: process.errors, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(mark) }
            .map { String($0) }
    }

    package var description: String { "the \(device) \(ending)" }

    /// The same at another time or with other numbers.
    package var cause: String { "the \(device) \(ending.cause)" }

    package func isLike(_ other: Complaint?) -> Bool { cause == other?.cause }
}
