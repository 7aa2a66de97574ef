import ExploreWords
import VirtualTime

extension WorldRecording {
    private static let name = "cassettes"

    /// The environment of each device. The directory is inside of the world, so that its path is the same in each run.
    var variables: [String: String] { variables(into: "\(Program.directoryMark)/\(Self.name)") }

    /// Returns what becomes of the cassettes of a world.
    ///
    /// - Parameter folder: The directory to which they are moved.
    static func kept(in folder: String) -> KeptDirectory { KeptDirectory(name, to: folder) }
}
