import Foundation
import Storage

/// The position at which a transaction inserts its records.
struct InsertionPlace: Sendable {
    /// The number of cached devices: 1,000 take 40 KB.
    private static let keptDevices = 1_000

    /// The highest sequence number ever used. None is reused: a reader that continues after one must not miss a record.
    var lastSequence: Int64
    let areSomeDeleted: Bool
    /// The cached numbers of devices.
    private var devices: [UUID: Int64] = [:]

    init(_ database: Database, _ sql: RecordStatements) throws(DatabaseError) {
        let statement = try database.statement(sql.place)
        defer { statement.reset() }
        _ = try statement.step()
        lastSequence = statement.integer(0)
        areSomeDeleted = statement.integer(1) == 1
    }

    /// Returns the number of a device, and assigns one to a new device.
    mutating func number(of device: UUID, _ database: Database) throws(DatabaseError) -> Int64 {
        if let number = devices[device] { return number }
        let find = try database.statement("SELECT number FROM devices WHERE identifier = ?1")
        try find.bind(device, at: 1)
        defer { find.reset() }
        let number = try find.step() ? find.integer(0) : Self.add(device, database)
        if devices.count == Self.keptDevices { devices.removeAll() }
        devices[device] = number
        return number
    }

    private static func add(_ device: UUID, _ database: Database) throws(DatabaseError) -> Int64 {
        let add = try database.statement("INSERT INTO devices (identifier) VALUES (?1)")
        try add.bind(device, at: 1)
        try add.run()
        return database.lastInsertedRow
    }
}
