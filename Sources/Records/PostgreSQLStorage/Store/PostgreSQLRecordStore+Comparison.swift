#if PostgreSQL
    import Foundation
    import PostgreSQLRules
    package import RecordStorage

    /// The comparison with another store, and the traces of deleted records.
    extension PostgreSQLRecordStore {
        package func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int {
            guard !deletions.isEmpty else { return 0 }
            let writer = try openedWriter()
            return try writes.run("deleting \(deletions.count) \(kind.plural)") {
                connection, _ throws(OperationFailure) in
                let answers = try transact(
                    [
                        tables.lockWriter(writer.number), tables.insertTraces(of: deletions, host: writer.number),
                        tables.delete(deletions, host: writer.number),
                    ], deleting: deletions.map(\.key), connection)
                guard answers.first?.isEmpty == false else { throw .store(missingWriter) }
                return answers.dropFirst().reduce(0) { $0 + $1.count }
            }
        }

        package func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion] {
            let rows = try read("reading the traces of \(kind.plural)", tables.deletions(after: key, limit: limit))
            return (rows.first ?? []).compactMap { row in
                guard let identifier = row.identifier(0), let device = row.identifier(1), let time = row.integer(2)
                else { return nil }
                return RecordDeletion(RecordKey(identifier, device: device), deletedAt: Date(milliseconds: time))
            }
        }

        package func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState] {
            var states = [RecordState](repeating: .absent, count: keys.count)
            for row in try read("comparing \(kind.plural)", tables.states(of: keys)).first ?? [] {
                guard let (position, state) = tables.state(row), states.indices.contains(position - 1) else { continue }
                states[position - 1] = state
            }
            return states
        }
    }
#endif
