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
