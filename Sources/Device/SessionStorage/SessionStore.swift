package import DeviceEngine
package import EventLog
package import Foundation
import LinkProtocol
import Locking
package import Storage

/// The storage of a session in one SQLite file: its transfers in both directions, contexts, paired watches, and the
/// ledger. Every change is durable when its method returns.
package final class SessionStore: Sendable {
    /// The maximum number of outgoing transfers. 100,000: a hundred megabytes at the usual size; more means that no
    /// counterpart accepts them.
    package static let outgoingCapacity = 100_000
    /// The maximum number of transfers that wait for the delegate. 10,000: a few megabytes at the usual size; more
    /// means that the app never runs.
    package static let inboxCapacity = 10_000
    /// The number of a counterpart's transfers that are remembered after arrival. 1,024: many times the number in
    /// flight, which is all that a sender can repeat.
    private static let rememberedTransfers = 1_024

    let file: DatabaseFile
    /// The number of ledger entries; nil until they are counted.
    let ledgerCount = Mutex<Int?>(nil)

    /// - Parameter logger: Receives one event when the file becomes unusable, one when it recovers, and one for each
    ///   repair.
    package init(path: String, logger: Logger = .silent) {
        file = DatabaseFile(path: path, schema: SessionSchema.schema, logger: logger)
    }

    /// The reason why the database cannot be used; nil if it can.
    package var trouble: DatabaseError? {
        do throws(DatabaseError) {
            _ = try inboxCount()
            return nil
        } catch {
            return error
        }
    }

    /// Closes the file with all data in it. The next use opens it again.
    package func close() { file.close() }

    // MARK: - Outgoing

    /// Stores a transfer. A context replaces the one that waits for the same counterpart.
    ///
    /// - Parameter noting: Returns the ledger entries for it, and for the context that it replaced.
    /// - Returns: Its position, and the context that it replaced.
    package func queue(
        _ transfer: OutgoingTransfer, noting: @Sendable (_ replaced: UUID?) -> LedgerBatch = { _ in .nothing }
    ) throws(DatabaseError) -> (position: Int64, replaced: UUID?) {
        try commit(
            { database throws(DatabaseError) in
                var replaced: UUID?
                if transfer.kind == .context, let payload = transfer.payload {
                    replaced = try Self.removeContext(for: transfer.peer, database)
                    try Self.keepContext(payload, transfer.peer, "sent", database)
                }
                let statement = try database.statement(
                    """
                    INSERT INTO outgoing
                    (identifier, peer, kind, payload, path, file_size, file_modified, file_inode, queued_at)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                    """)
                try statement.bind(transfer.identifier, at: 1)
                try statement.bind(transfer.peer, at: 2)
                try statement.bind(transfer.kind.rawValue, at: 3)
                try statement.bind(transfer.payload, at: 4)
                try statement.bind(transfer.file?.path, at: 5)
                try statement.bind(transfer.file?.size, at: 6)
                try statement.bind(transfer.file?.modified, at: 7)
                try statement.bind(transfer.file?.inode, at: 8)
                try statement.bind(transfer.queuedAt.milliseconds, at: 9)
                try statement.run()
                return (database.lastInsertedRow, replaced)
            }, noting: { noting($0.1) })
    }

    /// Returns the transfers whose outcome the delegate does not know, in order of acceptance.
    package func outgoing() throws(DatabaseError) -> [OutgoingTransfer] { try outgoing(where: "1") }

    /// Returns the ended transfers whose outcome the delegate does not know.
    package func ended() throws(DatabaseError) -> [OutgoingTransfer] { try outgoing(where: "is_over = 1") }

    private func outgoing(where condition: String) throws(DatabaseError) -> [OutgoingTransfer] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT \(Self.outgoingColumns) FROM outgoing WHERE \(condition) ORDER BY position")
            defer { statement.reset() }
            var transfers: [OutgoingTransfer] = []
            while try statement.step() {
                if let transfer = Self.outgoing(statement) { transfers.append(transfer) }
            }
            return transfers
        }
    }

    /// Returns an outgoing transfer with its payload; nil if it does not exist.
    package func outgoing(_ identifier: UUID) throws(DatabaseError) -> OutgoingTransfer? {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT \(Self.outgoingColumns) FROM outgoing WHERE identifier = ?1")
            try statement.bind(identifier, at: 1)
            defer { statement.reset() }
            return try statement.step() ? Self.outgoing(statement) : nil
        }
    }

    /// Turns a complication transfer into a plain one.
    package func demote(_ identifier: UUID) throws(DatabaseError) {
        try run("UPDATE outgoing SET kind = '\(TransferKind.userInfo.rawValue)' WHERE identifier = ?1", identifier)
    }

    /// Records the outcomes of transfers in one transaction.
    ///
    /// - Parameter noting: Returns the ledger entries for the recorded transfers.
    package func settle(
        _ endings: [(identifier: UUID, ending: OutgoingTransfer.Ending)],
        noting: @Sendable ([OutgoingTransfer]) -> LedgerBatch = { _ in .nothing }
    ) throws(DatabaseError) {
        _ = try commit(
            { database throws(DatabaseError) in
                var settled: [OutgoingTransfer] = []
                for (identifier, ending) in endings {
                    let statement = try database.statement(
                        """
                        UPDATE outgoing SET is_over = 1, code = ?2, reason = ?3 WHERE identifier = ?1
                        RETURNING \(Self.outgoingColumns)
                        """)
                    try statement.bind(identifier, at: 1)
                    try statement.bind(ending.code.map(Int64.init), at: 2)
                    try statement.bind(ending.reason, at: 3)
                    defer { statement.reset() }
                    while try statement.step() {
                        if let transfer = Self.outgoing(statement) { settled.append(transfer) }
                    }
                }
                return settled
            }, noting: noting)
    }

    /// Removes transfers that were cancelled, or whose outcome the delegate knows.
    package func forget(
        _ identifiers: [UUID], noting: @Sendable () -> LedgerBatch = { .nothing }
    ) throws(DatabaseError) {
        try commit(
            { database throws(DatabaseError) in
                for identifier in identifiers {
                    let statement = try database.statement("DELETE FROM outgoing WHERE identifier = ?1")
                    try statement.bind(identifier, at: 1)
                    try statement.run()
                }
            }, noting: { _ in noting() })
    }

    /// Assigns the transfers and contexts for an unknown counterpart to this one.
    package func adopt(_ peer: UUID, from unknown: UUID) throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                for table in ["outgoing", "contexts"] {
                    let statement = try database.statement(
                        "UPDATE OR REPLACE \(table) SET peer = ?1 WHERE peer = ?2")
                    try statement.bind(peer, at: 1)
                    try statement.bind(unknown, at: 2)
                    try statement.run()
                }
            }
        }
    }

    // MARK: - Contexts

    /// Removes a counterpart's contexts: when it returns, it has seen none.
    package func forgetContexts(of peer: UUID) throws(DatabaseError) {
        try run("DELETE FROM contexts WHERE peer = ?1", peer)
    }

    /// Returns the last contexts of every counterpart, as binary property lists.
    package func contexts() throws(DatabaseError) -> (sent: [UUID: Data], received: [UUID: Data]) {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT peer, direction, payload FROM contexts")
            defer { statement.reset() }
            var contexts: (sent: [UUID: Data], received: [UUID: Data]) = ([:], [:])
            while try statement.step() {
                guard let peer = statement.identifier(0) else { continue }
                if statement.text(1) == "sent" {
                    contexts.sent[peer] = statement.blob(2)
                } else {
                    contexts.received[peer] = statement.blob(2)
                }
            }
            return contexts
        }
    }

    // MARK: - Incoming

    /// Stores arrived transfers in order in one transaction, each at most once.
    ///
    /// - Parameter noting: Returns the ledger entries for the outcomes.
    package func receive(
        _ transfers: [ReceivedTransfer], noting: @Sendable ([ReceiveOutcome]) -> LedgerBatch = { _ in .nothing }
    ) throws(DatabaseError) -> [ReceiveOutcome] {
        try commit(
            { database throws(DatabaseError) in
                var room = Self.inboxCapacity - (try Self.inboxCount(database))
                var outcomes: [ReceiveOutcome] = []
                for transfer in transfers {
                    let outcome = try Self.receive(transfer, hasRoom: room > 0, database)
                    if case .stored = outcome { room -= 1 }
                    outcomes.append(outcome)
                }
                return outcomes
            }, noting: noting)
    }

    /// Returns `true` if a transfer arrived earlier.
    package func hasSeen(_ identifier: UUID, from peer: UUID) throws(DatabaseError) -> Bool {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT 1 FROM seen WHERE peer = ?1 AND identifier = ?2")
            try statement.bind(peer, at: 1)
            try statement.bind(identifier, at: 2)
            defer { statement.reset() }
            return try statement.step()
        }
    }

    package func inboxCount() throws(DatabaseError) -> Int {
        try file.use { database throws(DatabaseError) in try Self.inboxCount(database) }
    }

    /// Returns the paths of the files that wait for the delegate.
    package func inboxPaths() throws(DatabaseError) -> [String] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT path FROM inbox WHERE path IS NOT NULL")
            defer { statement.reset() }
            var paths: [String] = []
            while try statement.step() { paths.append(statement.text(0)) }
            return paths
        }
    }

    /// Returns transfers that wait for the delegate, in order of arrival.
    package func inbox(after position: Int64, limit: Int) throws(DatabaseError) -> [ReceivedTransfer] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                """
                SELECT position, identifier, peer, kind, payload, path, received_at FROM inbox
                WHERE position > ?1 ORDER BY position LIMIT ?2
                """)
            try statement.bind(position, at: 1)
            try statement.bind(Int64(limit), at: 2)
            defer { statement.reset() }
            var transfers: [ReceivedTransfer] = []
            while try statement.step() {
                guard let identifier = statement.identifier(1),
                    let peer = statement.identifier(2), let kind = TransferKind(rawValue: statement.text(3))
                else { continue }
                var transfer = ReceivedTransfer(
                    identifier: identifier, peer: peer, kind: kind,
                    payload: statement.isNull(4) ? nil : statement.blob(4),
                    path: statement.isNull(5) ? nil : statement.text(5),
                    receivedAt: Date(milliseconds: statement.integer(6)))
                transfer.position = statement.integer(0)
                transfers.append(transfer)
            }
            return transfers
        }
    }

    /// Removes transfers that were delivered to the delegate.
    package func delivered(
        _ positions: [Int64], noting: @Sendable () -> LedgerBatch = { .nothing }
    ) throws(DatabaseError) {
        try commit(
            { database throws(DatabaseError) in
                for position in positions {
                    let statement = try database.statement("DELETE FROM inbox WHERE position = ?1")
                    try statement.bind(position, at: 1)
                    try statement.run()
                }
            }, noting: { _ in noting() })
    }

    // MARK: - Watches

    /// Reads all watches. At most one is active: of several, which a crash of an earlier version could leave, the one
    /// that was recorded last.
    package func companions() throws(DatabaseError) -> [CompanionRecord] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                """
                SELECT identifier, name, is_paired, is_app_installed, has_complication,
                    rowid = (SELECT max(rowid) FROM companions WHERE is_active != 0), budget_day, budget_used
                FROM companions
                """)
            defer { statement.reset() }
            var records: [CompanionRecord] = []
            while try statement.step() {
                guard let identifier = statement.identifier(0) else { continue }
                var companion = Companion(identifier: identifier, name: statement.text(1))
                companion.isPaired = statement.integer(2) != 0
                companion.isAppInstalled = statement.integer(3) != 0
                companion.hasComplication = statement.integer(4) != 0
                companion.isActive = statement.integer(5) != 0
                let budget = ComplicationBudget(day: Int(statement.integer(6)), used: Int(statement.integer(7)))
                records.append(CompanionRecord(companion: companion, budget: budget))
            }
            return records
        }
    }

    /// Stores the record of a watch. If it is the active one, the same transaction makes the others inactive.
    package func record(_ record: CompanionRecord) throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            guard record.companion.isActive else { return try Self.insert(record, into: database) }
            try database.transaction { () throws(DatabaseError) in
                let others = try database.statement("UPDATE companions SET is_active = 0 WHERE identifier != ?1")
                try others.bind(record.companion.identifier, at: 1)
                try others.run()
                try Self.insert(record, into: database)
            }
        }
    }

    private static func insert(_ record: CompanionRecord, into database: Database) throws(DatabaseError) {
        let statement = try database.statement("INSERT OR REPLACE INTO companions VALUES (?1,?2,?3,?4,?5,?6,?7,?8)")
        let companion = record.companion
        try statement.bind(companion.identifier, at: 1)
        try statement.bind(companion.name, at: 2)
        let flags = [companion.isPaired, companion.isAppInstalled, companion.hasComplication, companion.isActive]
        for (index, flag) in flags.enumerated() { try statement.bind(Int64(flag ? 1 : 0), at: Int32(3 + index)) }
        try statement.bind(Int64(record.budget.day), at: 7)
        try statement.bind(Int64(record.budget.used), at: 8)
        try statement.run()
    }

    package func forgetCompanion(_ device: UUID) throws(DatabaseError) {
        try run("DELETE FROM companions WHERE identifier = ?1", device)
    }

    // MARK: - Rows

    private static let outgoingColumns =
        "position, identifier, peer, kind, payload, path, file_size, file_modified, file_inode, queued_at, is_over, code, reason"

    private static func outgoing(_ row: Statement) -> OutgoingTransfer? {
        guard let identifier = row.identifier(1), let peer = row.identifier(2),
            let kind = TransferKind(rawValue: row.text(3))
        else { return nil }
        let file =
            row.isNull(5)
            ? nil
            : FileStamp(path: row.text(5), size: row.integer(6), modified: row.integer(7), inode: row.integer(8))
        var transfer = OutgoingTransfer(
            identifier: identifier, peer: peer, kind: kind, payload: row.isNull(4) ? nil : row.blob(4), file: file,
            queuedAt: Date(milliseconds: row.integer(9)))
        transfer.position = row.integer(0)
        if row.integer(10) != 0 {
            transfer.ending = OutgoingTransfer.Ending(
                code: row.isNull(11) ? nil : Int(row.integer(11)), reason: row.isNull(12) ? nil : row.text(12))
        }
        return transfer
    }

    private static func removeContext(for peer: UUID, _ database: Database) throws(DatabaseError) -> UUID? {
        let statement = try database.statement(
            "DELETE FROM outgoing WHERE peer = ?1 AND kind = ?2 AND is_over = 0 RETURNING identifier")
        try statement.bind(peer, at: 1)
        try statement.bind(TransferKind.context.rawValue, at: 2)
        defer { statement.reset() }
        var removed: UUID?
        while try statement.step() { removed = statement.identifier(0) }
        return removed
    }

    private static func keepContext(
        _ payload: Data, _ peer: UUID, _ direction: String, _ database: Database
    ) throws(DatabaseError) {
        let statement = try database.statement("INSERT OR REPLACE INTO contexts VALUES (?1, ?2, ?3)")
        try statement.bind(peer, at: 1)
        try statement.bind(direction, at: 2)
        try statement.bind(payload, at: 3)
        try statement.run()
    }

    private static func receive(
        _ transfer: ReceivedTransfer, hasRoom: Bool, _ database: Database
    ) throws(DatabaseError) -> ReceiveOutcome {
        let peer = transfer.peer
        guard hasRoom else { return .full(capacity: inboxCapacity) }
        let seen = try database.statement("INSERT OR IGNORE INTO seen (peer, identifier) VALUES (?1, ?2)")
        try seen.bind(peer, at: 1)
        try seen.bind(transfer.identifier, at: 2)
        try seen.run()
        guard database.changes > 0 else { return .repeated }
        try forgetOldest(of: peer, database)
        var replaced: UUID?
        if transfer.kind == .context {
            let statement = try database.statement(
                "DELETE FROM inbox WHERE peer = ?1 AND kind = ?2 RETURNING identifier")
            try statement.bind(peer, at: 1)
            try statement.bind(transfer.kind.rawValue, at: 2)
            while try statement.step() { replaced = statement.identifier(0) }
            statement.reset()
            try keepContext(transfer.payload ?? Data(), transfer.peer, "received", database)
        }
        let statement = try database.statement(
            "INSERT INTO inbox (identifier, peer, kind, payload, path, received_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        try statement.bind(transfer.identifier, at: 1)
        try statement.bind(peer, at: 2)
        try statement.bind(transfer.kind.rawValue, at: 3)
        try statement.bind(transfer.payload, at: 4)
        try statement.bind(transfer.path, at: 5)
        try statement.bind(transfer.receivedAt.milliseconds, at: 6)
        try statement.run()
        return .stored(replaced: replaced)
    }

    /// Limits the number of remembered transfers of a counterpart.
    private static func forgetOldest(of peer: UUID, _ database: Database) throws(DatabaseError) {
        let statement = try database.statement(
            """
            DELETE FROM seen WHERE peer = ?1 AND position <=
            (SELECT position FROM seen WHERE peer = ?1 ORDER BY position DESC LIMIT 1 OFFSET ?2)
            """)
        try statement.bind(peer, at: 1)
        try statement.bind(Int64(rememberedTransfers), at: 2)
        try statement.run()
    }

    private static func inboxCount(_ database: Database) throws(DatabaseError) -> Int {
        let statement = try database.statement("SELECT count(*) FROM inbox")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    private func run(_ sql: String, _ identifier: UUID) throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(sql)
            try statement.bind(identifier, at: 1)
            try statement.run()
        }
    }
}
