import VirtualTime

/// A failure in a seed's world.
struct SimulationFailure {
    let device: String
    let ending: Ending

    /// Returns the first failure; nil if there is none.
    init?(of performance: Performance) {
        if let complaint = Complaint(about: performance) {
            (device, ending) = (complaint.device, complaint.ending)
            return
        }
        // A device that still runs at the end but ran no final checks could not: its main actor is busy.
        let blind = performance.processes.first { process in
            process.fate == .running && !process.world.trace.contains(DeviceLife.endMark)
        }
        guard let blind else { return nil }
        (device, ending) = (
            blind.name, .failed("its final checks did not run: its main actor was not free")
        )
    }

    var description: String { "the \(device) \(ending)" }

    /// Returns true if it is the same failure, apart from times and numbers.
    func isLike(_ other: SimulationFailure?) -> Bool { device == other?.device && ending.cause == other?.ending.cause }
}
