/// What came of all seeds of a test.
struct SimulationReport: Sendable {
    var failed: [FailedSeed] = []
    /// What should have held at some time and never did.
    var unreached: [String] = []
    var runs = 0
    /// What the person should know, which is no failure.
    var notes: [String] = []
    var error: SimulationError?

    /// Says that something never held.
    func text(unreached name: String, of settings: SimulationSettings) -> String {
        "“\(name)” was not reached by any of the \(runs) seeds \(settings.seeds)"
    }
}
