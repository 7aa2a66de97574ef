import CassetteReplay
import Processes
import VirtualTime

/// The time in which a replay runs its programs.
enum ReplayTime {
    case virtual(Conductor)
    case real

    /// The directory for the directories of replays.
    var base: String {
        switch self {
        case .virtual(let conductor): conductor.directory
        case .real: Conductor.usualDirectory
        }
    }

    /// Returns the time for another run, on another day and at another time of day: what a program takes from its clock
    /// differs then. Real time passes by itself.
    func later(by runs: Int) -> ReplayTime { later(by: .nanoseconds(Int64(runs) * Self.gap)) }

    /// Returns the time for a run whose wall clock begins so much later. Real time cannot begin later.
    func later(by span: Duration) -> ReplayTime {
        guard case .virtual(var conductor) = self else { return self }
        conductor.settings.epoch += Int64(span / .nanoseconds(1))
        return .virtual(conductor)
    }

    /// 37 days, 5 hours, 11 minutes and 7 seconds, in nanoseconds: no unit of a calendar.
    private static let gap: Int64 = (37 * 86_400 + 5 * 3_600 + 11 * 60 + 7) * 1_000_000_000

    /// Runs both programs as long as the cassette lasts, and until time-outs have passed.
    ///
    /// - Parameter seed: The seed of the world; without effect in real time.
    func perform(_ cast: ReplayCast, _ tape: AppTape, seed: UInt64, in folder: ScratchDirectory) throws -> PlayedCast {
        switch self {
        case .virtual(let conductor):
            try VirtualReplay(conductor, folder).perform(cast, tape, seed: seed)
        case .real: try RealReplay(cast, tape).perform()
        }
    }
}
