/// The schema of one kind of database.
package struct DatabaseSchema: Sendable {
    package let migrations: Migrations
    /// A query for the highest sequence number that a row was given. The number never decreases: an older copy is
    /// recognised by it.
    package let lastSequence: String
    /// Brings a migrated database to a shape that depends on the program, whenever it is opened. Returns a description of
    /// the change; nil if nothing was changed.
    package let adjust: (@Sendable (Database) throws(DatabaseError) -> String?)?

    package init(
        migrations: Migrations, lastSequence: String,
        adjust: (@Sendable (Database) throws(DatabaseError) -> String?)? = nil
    ) {
        (self.migrations, self.lastSequence, self.adjust) = (migrations, lastSequence, adjust)
    }
}
