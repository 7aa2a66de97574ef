#if PostgreSQL
    import CPostgreSQL
    import Foundation
    import PostgreSQLRules
    import RecordStorage

    /// The reference for a PostgreSQL store: libpq alone in pipeline mode, with the same rows, indexes and durability.
    // Proof of `@unchecked Sendable`: nothing in it changes, and each connection is used by one thread at a time.
    final class PostgreSQLReference: @unchecked Sendable {
        private let connection: OpaquePointer
        private let table: String
        private static let name = "reference"

        /// Prepares one insertion per row into a table that a store has made.
        init(_ url: String, table: String) throws {
            guard let connection = PQconnectdb(url), PQstatus(connection) == CONNECTION_OK else {
                throw BenchError("libpq: no connection to \(url)")
            }
            (self.connection, self.table) = (connection, table)
            let text = """
                INSERT INTO \(table) (identifier, device, received_at, digest, archive, title, host, sequence)
                VALUES ($1, $2, $3, $4, $5, $6, 0, $7)
                """
            let prepared = PQprepare(connection, Self.name, text, 0, nil)
            defer { PQclear(prepared) }
            guard PQresultStatus(prepared) == PGRES_COMMAND_OK, PQenterPipelineMode(connection) == 1 else {
                throw failure()
            }
        }

        deinit { PQfinish(connection) }

        private func failure() -> BenchError { BenchError("libpq: \(String(cString: PQerrorMessage(connection)))") }

        /// Inserts rows in one transaction and one round trip.
        func insert(_ arrivals: [RecordArrival], from sequence: Int64) throws {
            for (place, arrival) in arrivals.enumerated() { try send(arrival, sequence + Int64(place)) }
            guard PQpipelineSync(connection) == 1 else { throw failure() }
            // As each row is of 1 KB, the server's answers fit into the socket until the last row is sent.
            while true {
                guard let result = PQgetResult(connection) else { continue }
                defer { PQclear(result) }
                switch PQresultStatus(result) {
                case PGRES_PIPELINE_SYNC: return
                case PGRES_COMMAND_OK: break
                default: throw failure()
                }
            }
        }

        private func send(_ arrival: RecordArrival, _ sequence: Int64) throws {
            let record = arrival.record
            guard case .text(let title)? = record.values.first else { throw BenchError("a record without a title") }
            let parameters: [ServerParameter] = [
                .identifier(record.key.identifier), .identifier(record.key.device),
                .integer(arrival.receivedAt.milliseconds), .bytes(Data(record.archive.prefix(32))),
                .bytes(record.archive), .text(title), .integer(sequence),
            ]
            let all = parameters.flatMap { $0.bytes ?? [] }
            let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: parameters.count)
            let sent = all.withUnsafeBytes { all in
                var (values, offset) = ([UnsafePointer<CChar>?](), 0)
                for length in lengths {
                    values.append(all.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) })
                    offset += Int(length)
                }
                return PQsendQueryPrepared(
                    connection, Self.name, Int32(parameters.count), values, lengths, formats, 1)
            }
            guard sent == 1 else { throw failure() }
        }
    }
#endif
