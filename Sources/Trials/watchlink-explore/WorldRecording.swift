import ServiceRuntime
import VirtualTime

/// The recording of the devices of worlds into cassettes.
struct WorldRecording {
    private static let name = "cassettes"

    private let folder: String
    private let keptPaths: [String]

    /// Reads the options; nil if nothing is recorded.
    init?(_ options: ParsedOptions) throws(UsageError) {
        keptPaths = options.all("keep")
        guard let folder = options["record"] else {
            guard keptPaths.isEmpty else { throw UsageError("--keep needs --record, the directory for cassettes") }
            return nil
        }
        self.folder = folder
    }

    /// The environment of each device. The directory is inside of the world, so that its path is the same in each run.
    var variables: [String: String] {
        [
            "WATCHLINK_RECORD": "\(Program.directoryMark)/\(Self.name)",
            "WATCHLINK_RECORD_KEEP": keptPaths.joined(separator: " "),
        ]
    }

    /// Returns what becomes of the cassettes of a seed.
    func kept(of seed: UInt64) -> KeptDirectory { KeptDirectory(Self.name, to: "\(folder)/seed-\(seed)") }
}
