/// A seed that fails, in words and files.
struct FailedSeed: Sendable {
    let seed: Int
    /// What is wrong, and how to see it again.
    let text: String
    /// What it leaves: names and contents.
    let files: [(name: String, contents: String)]
}
