/// What makes a database one of its kind.
package struct DatabaseSchema: Sendable {
    /// Its versions in order, each as SQL; never edited once released.
    package let migrations: [String]
    /// SQL for the highest number that a row was given. It never falls: by it an older copy is recognised.
    package let lastSequence: String

    package init(migrations: [String], lastSequence: String) {
        (self.migrations, self.lastSequence) = (migrations, lastSequence)
    }
}
