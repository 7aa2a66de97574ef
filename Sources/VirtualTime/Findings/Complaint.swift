/// What is wrong with a performance.
package struct Complaint {
    /// The device's name.
    package let device: String
    package let ending: Ending

    /// A line of standard error that begins so is the program's own word.
    private static let mark = "FINDING"

    /// The first thing that is wrong, if anything is: a device that ended as it should not, or its own word.
    package init?(about performance: Performance) {
        if let failure = performance.failure {
            (device, ending) = (failure.name, failure.world.ending)
            return
        }
        for process in performance.processes {
            let text = String(decoding: process.errors, as: UTF8.self)
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(Self.mark) }) else { continue }
            (device, ending) = (process.name, .failed(String(line)))
            return
        }
        return nil
    }

    package var description: String { "the \(device) \(ending)" }

    /// The same at another time or with other numbers.
    package var cause: String { "the \(device) \(ending.cause)" }

    package func isLike(_ other: Complaint?) -> Bool { cause == other?.cause }
}
