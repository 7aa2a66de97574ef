import VirtualTime

/// What is wrong with a seed's world.
struct SimulationFailure {
    let device: String
    let ending: Ending

    /// The first thing that is wrong, if anything is.
    init?(of performance: Performance) {
        if let complaint = Complaint(about: performance) {
            (device, ending) = (complaint.device, complaint.ending)
            return
        }
        // A device that runs in the end and has not looked could not: its main actor does something else.
        let blind = performance.processes.first { process in
            process.fate == .running && !process.world.trace.contains(DeviceLife.endMark)
        }
        guard let blind else { return nil }
        (device, ending) = (
            blind.name, .failed("it did not look at what must hold in the end: its main actor was not free")
        )
    }

    var description: String { "the \(device) \(ending)" }

    /// True if it is the same at another time or with other numbers.
    func isLike(_ other: SimulationFailure?) -> Bool { device == other?.device && ending.cause == other?.ending.cause }
}
