import VirtualTime

/// The recording of the devices of a world into cassettes.
enum WorldRecording {
    private static let name = "cassettes"

    /// The environment of each device. The directory is inside of the world, so that its path is the same in each run.
    static let variables = ["WATCHLINK_RECORD": "\(Program.directoryMark)/\(name)"]

    /// Returns what becomes of the cassettes of a seed.
    static func kept(of seed: UInt64, in folder: String) -> KeptDirectory {
        KeptDirectory(name, to: "\(folder)/seed-\(seed)")
    }
}
