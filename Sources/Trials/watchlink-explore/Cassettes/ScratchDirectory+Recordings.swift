import Processes

extension ScratchDirectory {
    /// The directory for the recordings of one replay.
    var recordings: String { "\(path)/cassettes" }
}
