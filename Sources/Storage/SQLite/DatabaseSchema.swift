/// What makes a database one of its kind.
struct DatabaseSchema: Sendable {
    /// Its versions in order, each as SQL; never edited once released.
    let migrations: [String]
    /// SQL for the highest number that a row was given. It never falls: by it an older copy is recognised.
    let lastSequence: String
}
