#if PostgreSQL
    package import Foundation
    import Locking
    import PostgreSQLRules
    package import RecordStorage

    extension PostgreSQLRecordStore {
        /// Stores records in one transaction, whose commit has the order of this host's sequence numbers.
        ///
        /// - Throws: A ``StoreError``; of the kind ``StoreError/Kind/unavailable`` if the outcome stayed unknown for too
        ///   long: insert again later.
        package func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome] {
            guard !arrivals.isEmpty else { return [] }
            let writer = try openedWriter()
            var batch = InsertBatch(arrivals)
            return try writes.run("inserting \(arrivals.count) \(kind.plural)") {
                connection, isUnknown throws(OperationFailure) in
                // A record that another host deletes for good meanwhile is sent again; twice in a row, the server is
                // not what it says.
                for round in 0..<2 {
                    try store(&batch, writer, expectsRepeats: isUnknown || round > 0, connection)
                    try compare(&batch, writer, isUnknown: isUnknown, connection)
                    if let outcomes = batch.result { return outcomes }
                }
                throw .server(
                    ServerFailure(
                        state: "40001", message: "records were neither stored nor found", isConnectionLost: false))
            }
        }

        /// Inserts what has no outcome yet.
        ///
        /// - Parameter expectsRepeats: True if some may be there. Records are new in all but rare cases, so a batch is
        ///   first inserted as if all were, and inserted again if the server finds one that is not.
        private func store(
            _ batch: inout InsertBatch, _ writer: Writer, expectsRepeats: Bool, _ connection: ServerConnection
        ) throws(OperationFailure) {
            let parts = batch.parts(of: batch.pending, bytes: Self.statementBytes)
            guard !parts.isEmpty else { return }
            var expectsRepeats = expectsRepeats || isExpectingRepeats()
            if parts.count == 1, !expectsRepeats, connection.isReadCommitted {
                do throws(OperationFailure) {
                    if try storeAlone(parts[0], of: &batch, writer, connection) { return }
                } catch {
                    guard case .server(let failure) = error, failure.isRepeat else { throw error }
                    foundRepeat()
                    expectsRepeats = true
                }
            }
            try storeTogether(parts, of: &batch, writer, expectsRepeats: expectsRepeats, connection)
        }

        /// Inserts one part in a statement of its own, as if all of it were new.
        ///
        /// - Returns: False if nothing was inserted, because the server's row of this host is missing or older.
        private func storeAlone(
            _ part: ArraySlice<Int>, of batch: inout InsertBatch, _ writer: Writer, _ connection: ServerConnection
        ) throws(OperationFailure) -> Bool {
            let statement: ServerStatement
            do throws(StoreError) {
                statement = try tables.insertAlone(
                    batch.arrivals(at: part), digests: batch.digests(at: part), host: writer.number, least: confirmed())
            } catch {
                throw .store(error)
            }
            let numbers = try connection.execute([statement]).first?.compactMap { $0.integer(0) } ?? []
            guard let last = numbers.max() else { return false }
            for number in numbers {
                let offset = part.count &- 1 &- Int(last &- number)
                guard (0..<part.count).contains(offset) else { continue }
                batch.note(stored: number, at: part[part.startIndex + offset])
            }
            confirm(last)
            return true
        }

        /// Inserts parts in one transaction, and compares the server's numbers with those that it confirmed.
        private func storeTogether(
            _ parts: [ArraySlice<Int>], of batch: inout InsertBatch, _ writer: Writer, expectsRepeats: Bool,
            _ connection: ServerConnection
        ) throws(OperationFailure) {
            let least = confirmed()
            func insert(expectsRepeats: Bool) throws(OperationFailure) -> [[ServerRow]] {
                var statements = [tables.lockWriter(writer.number)]
                do throws(StoreError) {
                    for part in parts {
                        statements.append(
                            try tables.insert(
                                batch.arrivals(at: part), digests: batch.digests(at: part), host: writer.number,
                                least: least, expectsRepeats: expectsRepeats))
                    }
                } catch {
                    throw .store(error)
                }
                return try connection.transact(statements)
            }
            let answers: [[ServerRow]]
            do throws(OperationFailure) {
                answers = try insert(expectsRepeats: expectsRepeats)
            } catch {
                guard case .server(let failure) = error, failure.isRepeat else { throw explained(error) }
                foundRepeat()
                _ = try connection.execute([RecordTables.rollback])
                do throws(OperationFailure) {
                    answers = try insert(expectsRepeats: true)
                } catch {
                    throw explained(error)
                }
            }
            guard let found = answers.first?.first?.integer(0) else { throw .store(missingWriter) }
            if found < least { notice(.wentBack(confirmed: least, found: found)) }
            var last = max(found, least)
            for (part, rows) in zip(parts, answers.dropFirst()) {
                for row in rows {
                    guard let sequence = row.integer(0) else { continue }
                    let offset = Int(sequence &- last) &- 1
                    guard (0..<part.count).contains(offset) else { continue }
                    batch.note(stored: sequence, at: part[part.startIndex + offset])
                }
                // A part of which nothing was new used no numbers.
                if !rows.isEmpty { last += Int64(part.count) }
            }
            confirm(last)
        }

        /// True for some batches after one with a repeat: repeats come together, after an outage.
        private func isExpectingRepeats() -> Bool {
            expectedRepeats.withLock { left in
                left = max(0, left - 1)
                return left > 0
            }
        }

        private func foundRepeat() { expectedRepeats.withLock { $0 = Self.batchesWithRepeats } }

        /// Returns the reason of a failed insertion: without the host's row there is no number to go on from, and that
        /// of the record is NULL.
        func explained(_ failure: OperationFailure) -> OperationFailure {
            guard case .server(let reported) = failure, reported.state == "23502" else { return failure }
            return .store(missingWriter)
        }

        /// Finds out about what was there before: in a statement of its own, which sees all that it met.
        private func compare(
            _ batch: inout InsertBatch, _ writer: Writer, isUnknown: Bool, _ connection: ServerConnection
        ) throws(OperationFailure) {
            let pending = batch.pending
            guard !pending.isEmpty else { return }
            let keys = batch.arrivals(at: pending).map(\.record.key)
            for row in try connection.execute([tables.digests(of: keys)]).first ?? [] {
                guard let position = row.integer(0), let digest = row.bytes(1),
                    pending.indices.contains(Int(position) - 1)
                else { continue }
                let place = pending[Int(position) - 1]
                // The lost attempt of this very call: its records are new.
                if isUnknown, row.integer(3) == Int64(writer.number), let sequence = row.integer(4),
                    sequence > writer.confirmed, batch.digests(at: [place]) == [digest]
                {
                    batch.note(stored: sequence, at: place)
                } else {
                    batch.note(found: digest, isDeleted: row.bytes(2) != nil, at: place)
                }
            }
        }

        package func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool {
            _ = try openedWriter()
            let statement = try tables.update(record, updatedAt: updatedAt)
            return try writes.run("changing the \(kind.name) \(record.key.identifier)") {
                connection, _ throws(OperationFailure) in
                try connection.execute([statement]).first?.isEmpty == false
            }
        }

        package func delete(_ key: RecordKey, deletedAt: Date) throws(StoreError) -> Bool {
            let writer = try openedWriter()
            return try writes.run("deleting the \(kind.name) \(key.identifier)") {
                connection, isUnknown throws(OperationFailure) in
                let deletion = tables.delete(key, deletedAt: deletedAt, host: writer.number)
                let answers = try connection.transact([tables.lockWriter(writer.number), deletion])
                if answers.last?.isEmpty == false { return true }
                guard isUnknown else { return false }
                let found = try connection.execute([tables.deletion(of: key)]).first?.first?.integer(0)
                return found == deletedAt.milliseconds
            }
        }

        package func expire(
            receivedBefore time: Date?, keeping count: Int?, limit: Int
        ) throws(StoreError) -> [RecordKey] {
            let writer = try openedWriter()
            guard limit > 0, time != nil || count != nil else { return [] }
            var victims: [RecordKey]?
            return try writes.run("deleting old \(kind.plural)") { connection, isUnknown throws(OperationFailure) in
                let keys: [RecordKey]
                if let victims {
                    keys = victims
                } else {
                    let answers = try connection.execute([tables.total, tables.oldest(limit: limit)])
                    keys = expired(answers, before: time, keeping: count)
                    victims = keys
                }
                guard !keys.isEmpty else { return [] }
                let answers = try connection.transact([
                    tables.lockWriter(writer.number), tables.remove(keys, host: writer.number),
                ])
                // After an unknown outcome, the lost attempt may have deleted them.
                guard !isUnknown else { return keys }
                return (answers.last ?? []).compactMap { row in
                    row.identifier(0).flatMap { identifier in
                        row.identifier(1).map { RecordKey(identifier, device: $0) }
                    }
                }
            }
        }

        private func expired(_ answers: [[ServerRow]], before time: Date?, keeping count: Int?) -> [RecordKey] {
            let total = Int(answers.first?.first?.integer(0) ?? 0)
            let surplus = count.map { max(total - max($0, 0), 0) } ?? 0
            return (answers.last ?? []).enumerated().compactMap { place, row in
                guard let identifier = row.identifier(0), let device = row.identifier(1),
                    let receivedAt = row.integer(2)
                else { return nil }
                let isOld = time.map { receivedAt < $0.milliseconds } ?? false
                return isOld || place < surplus ? RecordKey(identifier, device: device) : nil
            }
        }
    }
#endif
