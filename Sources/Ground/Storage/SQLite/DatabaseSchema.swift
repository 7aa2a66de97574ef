/// The schema of one kind of database.
package struct DatabaseSchema: Sendable {
    /// The schema's versions in order, each as SQL; never edited once released.
    package let migrations: [String]
    /// A query for the highest sequence number that a row was given. The number never decreases: an older copy is
    /// recognised by it.
    package let lastSequence: String
    /// Brings a migrated database to a shape that depends on the program, whenever it is opened. Returns a description of
    /// the change; nil if nothing was changed.
    package let adjust: (@Sendable (Database) throws(DatabaseError) -> String?)?

    package init(
        migrations: [String], lastSequence: String,
        adjust: (@Sendable (Database) throws(DatabaseError) -> String?)? = nil
    ) {
        (self.migrations, self.lastSequence, self.adjust) = (migrations, lastSequence, adjust)
    }
}
