/// A failed seed, as text and files.
struct FailedSeed: Sendable {
    let seed: Int
    /// The failure, and how to reproduce it.
    let text: String
    /// The files about the failure: names and contents.
    let files: [(name: String, contents: String)]
}
