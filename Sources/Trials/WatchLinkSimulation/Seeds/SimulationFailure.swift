import VirtualTime

/// A failure in a seed's world.
struct SimulationFailure {
    let ending: Ending
    let description: String
    /// A text that is the same for equal failures at different times or with different numbers.
    private let cause: String

    /// Returns the first failure; nil if there is none.
    init?(of performance: Performance) {
        if let complaint = Complaint(about: performance) {
            (ending, description, cause) = (complaint.ending, complaint.description, complaint.cause)
            return
        }
        // A device that still runs at the end but ran no final checks could not: its main actor is busy.
        let blind = performance.processes.first { process in
            process.fate == .running && !process.world.trace.contains(DeviceLife.endMark)
        }
        guard let blind else { return nil }
        ending = .failed("its final checks did not run: its main actor was not free")
        description = "the \(blind.name) \(ending)"
        cause = description
    }

    /// Returns true if it is the same failure, apart from times and numbers.
    func isLike(_ other: SimulationFailure?) -> Bool { cause == other?.cause }
}
