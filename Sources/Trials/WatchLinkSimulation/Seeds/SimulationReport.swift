/// The results of all seeds of a test.
struct SimulationReport: Sendable {
    var failed: [FailedSeed] = []
    /// The names of conditions that never held.
    var unreached: [String] = []
    var runs = 0
    /// Remarks for the user that are not failures.
    var notes: [String] = []
    var error: SimulationError?

    /// Returns the issue text for a condition that never held.
    func text(unreached name: String, of settings: SimulationSettings) -> String {
        "“\(name)” was not reached by any of the \(runs) seeds \(settings.seeds)"
    }
}
