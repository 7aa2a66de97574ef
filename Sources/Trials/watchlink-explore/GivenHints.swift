import DeviceShell
import EventLog
import Timeline
import VirtualTime

/// The hints that the sessions of a seed's devices gave: misuse, or a loss that would go unnoticed.
struct GivenHints {
    /// A hint to a device in some seeds.
    struct Count: Codable, Equatable {
        var seeds: Int
        var firstSeed: UInt64
        let advice: String

        func merged(with other: Count) -> Count {
            Count(seeds: seeds + other.seeds, firstSeed: min(firstSeed, other.firstSeed), advice: advice)
        }
    }

    /// The advice, by the device and the hint, such as “the phone: file opened too late”.
    let advice: [String: String]

    /// - Parameter failing: The hints that are failures, and told as such.
    init(_ performance: Performance, without failing: Set<Hint>) {
        let failing = Set(failing.map(\.rawValue))
        var advice: [String: String] = [:]
        for process in performance.processes {
            for text in process.reportedLines(with: " hint=") {
                guard let line = Array(text.utf8).withUnsafeBytes({ LogLine.parse($0) }), line.event == .hint,
                    let hint = line.fields["hint"], !failing.contains(hint)
                else { continue }
                advice["the \(process.name): \(hint)"] = line.fields["reason"] ?? ""
            }
        }
        self.advice = advice
    }
}
