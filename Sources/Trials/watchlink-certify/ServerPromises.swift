import DatabaseServers
import Foundation
import Locking
import PostgreSQLRules
import PostgreSQLStorage
import Processes
import RecordStorage

/// The promises of the store in a PostgreSQL server beside those of every store.
struct ServerPromises {
    let server: LocalServer

    func run(_ certification: inout Certification) throws {
        try certification.run("durability", "a server that confirms what a power cut loses is refused", durability)
        try certification.run("rights", "a user without the right to create tables uses those of another", rights)
        try certification.run(
            "displaced", "a missing database, table or host is displaced, and not made anew", displaced)
        try certification.run("refusals", "a refused user is told at once, and a missing server in time", refusals)
        try certification.run("columns", "a newer program adds its columns, and an older one is refused", columns)
        try certification.run(
            "older-copy", "an older copy of the server is noticed, and no number used again", olderCopy)
        try certification.run(
            "earlier-tables", "tables of version 1 go on with their numbers, and its programs are stopped",
            earlierTables)
        try certification.run("numbers", "no number is used again, also after the records went", numbers)
        try certification.run("twins", "two processes of one host store each record once, in order", twins)
        try certification.run("isolation", "the operator's usual isolation does not matter", isolation)
    }

    private func settings(_ url: String, host: String = "host") throws -> PostgreSQLSettings {
        var settings = try PostgreSQLSettings(address: ServerAddress(url), host: host)
        settings.patience = .seconds(1)
        return settings
    }

    private func url(_ more: String, database: String = "postgres", user: String = "watchlink") -> String {
        "postgresql://\(user)@/\(database)?host=\(server.sockets)\(more)"
    }

    private func expect(
        _ kind: StoreError.Kind, containing text: String, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as StoreError {
            guard error.kind == kind, error.description.contains(text) else {
                throw FaultFailure(
                    "expected an error of the kind \(kind) with “\(text)”, and \(error.kind) came: \(error)")
            }
            return
        }
        throw FaultFailure("expected an error of the kind \(kind) with “\(text)”, and none came")
    }

    private func durability() throws {
        let table = FaultTable("durability", server)
        for value in ["off", "on"] {
            _ = try server.query("ALTER DATABASE postgres SET synchronous_commit = \(value)")
            let store = try SharedStore.store(kind: table.kind, settings: settings(server.url))
            if value == "off" {
                try expect(.refused, containing: "synchronous_commit is off") { _ = try store.count() }
            } else {
                _ = try store.count()
            }
            store.close()
        }
        _ = try server.query("ALTER DATABASE postgres RESET synchronous_commit")
    }

    private func rights() throws {
        let table = FaultTable("rights", server)
        let owner = try SharedStore.store(kind: table.kind, settings: settings(server.url))
        _ = try owner.count()
        let user = "user\(Certification.token())"
        _ = try server.query(
            """
            CREATE ROLE \(user) LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
            GRANT SELECT, INSERT, UPDATE, DELETE ON \(table.kind.plural), watchlink_writers TO \(user);
            GRANT SELECT, UPDATE ON watchlink_schema TO \(user)
            """)
        let store = try SharedStore.store(kind: table.kind, settings: settings(url("", user: user), host: "other"))
        let outcomes = try FaultTable.insert(1, into: store)
        guard outcomes.allSatisfy({ $0 != .repeated && $0 != .conflict }) else { throw FaultFailure("\(outcomes)") }
        let another = FaultTable("rights2", server)
        let without = try SharedStore.store(kind: another.kind, settings: settings(url("", user: user)))
        try expect(.refused, containing: "42501") { _ = try without.count() }
    }

    private func displaced() throws {
        let table = FaultTable("displaced", server)
        let nowhere = try SharedStore.store(kind: table.kind, settings: settings(url("", database: "missing")))
        try expect(.displaced, containing: "missing") { _ = try nowhere.count() }
        let store = try SharedStore.store(kind: table.kind, settings: settings(server.url))
        _ = try FaultTable.insert(1, into: store)
        _ = try server.query("DELETE FROM watchlink_writers WHERE kind = '\(table.kind.plural)'")
        try expect(.displaced, containing: "no longer known") { _ = try FaultTable.insert(2, into: store) }
        store.close()
        _ = try FaultTable.insert(3, into: store)
        _ = try server.query("DROP TABLE \(table.kind.plural) CASCADE")
        try expect(.displaced, containing: "42P01") { _ = try FaultTable.insert(4, into: store) }
    }

    private func refusals() throws {
        let table = FaultTable("refusals", server)
        let nobody = try SharedStore.store(kind: table.kind, settings: settings(url("", user: "nobody-here")))
        let start = ContinuousClock.now
        try expect(.refused, containing: "nobody-here") { _ = try nobody.count() }
        guard ContinuousClock.now - start < .milliseconds(900) else { throw FaultFailure("a refused user waited") }
        let missing = "postgresql://watchlink@/postgres?host=\(server.scratch.path)/missing"
        let unreachable = try SharedStore.store(kind: table.kind, settings: settings(missing))
        try expect(.unavailable, containing: "check the server") { _ = try unreachable.count() }
        try expect(.refused, containing: "none that libpq understands") {
            _ = try SharedStore.store(kind: table.kind, settings: settings("postgresql://h/db?sslmod=x")).count()
        }
    }

    private func columns() throws {
        let old = FaultTable("columns", server).kind
        let new = RecordKind(
            name: old.name, plural: old.plural, columns: old.columns + [RecordColumn("score", .real)])
        let first = try SharedStore.store(kind: old, settings: settings(server.url))
        _ = try FaultTable.insert(1, into: first)
        let second = try SharedStore.store(kind: new, settings: settings(server.url, host: "newer"))
        let found = try second.records(after: .start, limit: 10)
        guard found.count == 3, found.allSatisfy({ $0.record.values.last == .real(0) }) else {
            throw FaultFailure("the newer program reads \(found.map(\.record.values))")
        }
        // A program that runs does not notice; one that starts does.
        _ = try FaultTable.insert(2, into: first)
        first.close()
        try expect(.refused, containing: "install the newest program") { _ = try first.count() }
    }

    private func olderCopy() throws {
        let table = FaultTable("oldercopy", server)
        let notices = Mutex<[PostgreSQLNotice]>([])
        let store = try SharedStore.store(kind: table.kind, settings: settings(server.url)) { notice in
            notices.withLock { $0.append(notice) }
        }
        _ = try FaultTable.insert(1, into: store)
        _ = try FaultTable.insert(2, into: store)
        // As a replica would have it that did not receive the second batch.
        _ = try server.query(
            "DELETE FROM \(table.kind.plural) WHERE sequence > 3; DELETE FROM files_\(table.kind.plural)")
        let outcomes = try FaultTable.insert(3, into: store)
        guard outcomes == (7...9).map({ .stored(sequence: $0) }) else { throw FaultFailure("\(outcomes)") }
        let found = notices.withLock { $0 }
        guard found.contains(.wentBack(confirmed: 6, found: 3)) else { throw FaultFailure("notices: \(found)") }
        try table.expect(6)
    }

    /// Makes tables as version 1 had them, whose host's row counted a gap, and goes on.
    private func earlierTables() throws {
        let table = FaultTable("earlier", server)
        let plural = table.kind.plural
        let first = try SharedStore.store(kind: table.kind, settings: settings(server.url))
        _ = try FaultTable.insert(1, into: first)
        first.close()
        let earlier = "UPDATE watchlink_writers SET last_sequence = 4, records = 3 WHERE kind = '\(plural)'"
        _ = try server.query(
            """
            ALTER TABLE watchlink_writers RENAME COLUMN settled TO last_sequence; \(earlier);
            UPDATE \(plural) SET sequence = 4 WHERE sequence = 3;
            UPDATE watchlink_schema SET version = 1 WHERE kind = '\(plural)'
            """)
        let store = try SharedStore.store(kind: table.kind, settings: settings(server.url))
        guard try store.count() == 3 else { throw FaultFailure("\(try store.count()) of 3 records are counted") }
        let outcomes = try FaultTable.insert(2, into: store)
        guard outcomes == (5...7).map({ .stored(sequence: $0) }) else { throw FaultFailure("\(outcomes)") }
        try table.expect(6)
        do {
            _ = try server.query(earlier)
        } catch {
            return
        }
        throw FaultFailure("a program of version 1 could still change the rows of hosts")
    }

    private func numbers() throws {
        let table = FaultTable("numbers", server)
        let (store, other) = try (
            SharedStore.store(kind: table.kind, settings: settings(server.url)),
            SharedStore.store(kind: table.kind, settings: settings(server.url, host: "other"))
        )
        for number in 1...3 { _ = try FaultTable.insert(number, count: 1, into: store) }
        _ = try FaultTable.insert(4, into: other)
        let gone = try other.expire(receivedBefore: nil, keeping: 0, limit: 100)
        guard gone.count == 6 else { throw FaultFailure("\(gone.count) of 6 records were deleted") }
        try table.expectNone()
        store.close()
        for number in 5...6 {
            let outcomes = try FaultTable.insert(number, count: 1, into: store)
            guard outcomes == [.stored(sequence: Int64(number) - 1)] else { throw FaultFailure("\(outcomes)") }
        }
        let outcomes = try FaultTable.insert(7, count: 1, into: other)
        guard outcomes == [.stored(sequence: 4)] else { throw FaultFailure("\(outcomes)") }
        // Nor after the host's own deletion, while it goes on.
        _ = try store.expire(receivedBefore: nil, keeping: 0, limit: 100)
        let last = try FaultTable.insert(8, count: 1, into: store)
        guard last == [.stored(sequence: 6)] else { throw FaultFailure("\(last)") }
        try table.expect(1)
    }

    /// Two stores of one host insert in turns, one record or several, and the same as the other.
    private func twins() throws {
        let table = FaultTable("twins", server)
        let twins = try (0..<2).map { _ in try SharedStore.store(kind: table.kind, settings: settings(server.url)) }
        var (sequence, cursor) = (Int64(0), RecordCursor.start)
        for number in 1...40 {
            let count = [1, 1, 3, 1, 2][number % 5]
            let outcomes = try FaultTable.insert(number, count: count, into: twins[(number / 2) % 2])
            let expected = (1...count).map { InsertOutcome.stored(sequence: sequence + Int64($0)) }
            guard outcomes == expected else { throw FaultFailure("batch \(number): \(outcomes), not \(expected)") }
            sequence += Int64(count)
            let repeated = try FaultTable.insert(number, count: count, into: twins[number % 2])
            guard repeated == expected.map({ _ in .repeated }) else {
                throw FaultFailure("batch \(number) again: \(repeated)")
            }
            let page = try twins[0].records(after: cursor, limit: 10)
            guard page.map(\.sequence) == Array((sequence - Int64(count) + 1)...sequence), let last = page.last else {
                throw FaultFailure("a reader finds \(page.map(\.sequence)) after batch \(number)")
            }
            cursor = last.cursor
        }
        try table.expect(Int(sequence))
    }

    private func isolation() throws {
        for level in ["serializable", "repeatable read"] {
            _ = try server.query("ALTER DATABASE postgres SET default_transaction_isolation = '\(level)'")
            let kills = ServerKills(server, hosts: 4)
            try kills.start(server.url)
            try kills.waitForProgress()
            try kills.finish(server.url)
        }
        _ = try server.query("ALTER DATABASE postgres RESET default_transaction_isolation")
    }
}
