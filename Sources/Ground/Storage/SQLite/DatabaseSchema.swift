/// The schema of one kind of database.
package struct DatabaseSchema: Sendable {
    /// The schema's versions in order, each as SQL; never edited once released.
    package let migrations: [String]
    /// A query for the highest sequence number that a row was given. The number never decreases: an older copy is
    /// recognised by it.
    package let lastSequence: String

    package init(migrations: [String], lastSequence: String) {
        (self.migrations, self.lastSequence) = (migrations, lastSequence)
    }
}
