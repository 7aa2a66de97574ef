#if PostgreSQL
    import Files
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
            let writer = try openedWriter().number
            // Made when it is needed: a record alone seldom needs it.
            var known: InsertBatch?
            // The highest number before the first attempt.
            var start: Int64?
            return try writes.run("inserting \(arrivals.count) \(kind.plural)") {
                connection, isUnknown throws(OperationFailure) in
                let lost = LostAttempt(host: writer, after: start ?? confirmed(), isPossible: isUnknown)
                start = lost.after
                var comparesFirst = isUnknown || isExpectingRepeats()
                if arrivals.count == 1, arrivals[0].record.file == nil, !comparesFirst, connection.isChecked {
                    if let sequence = try storeAlone(arrivals[0], host: writer, connection) {
                        return [.stored(sequence: sequence)]
                    }
                    comparesFirst = true
                }
                var batch = known ?? InsertBatch(arrivals)
                defer { known = batch }
                if comparesFirst {
                    try compare(&batch, lost, connection)
                    if !isUnknown, batch.result != nil { foundRepeat() }
                }
                var fruitless = 0
                while fruitless < Self.fruitlessRounds {
                    if let outcomes = batch.result { return outcomes }
                    let (pending, highest) = (batch.pending.count, confirmed())
                    try insert(&batch, lost, connection)
                    let hasProgress = batch.pending.count < pending || confirmed() != highest
                    fruitless = hasProgress ? 0 : fruitless + 1
                }
                throw .server(
                    ServerFailure(
                        state: "40001", message: "records were neither stored nor found", isConnectionLost: false))
            }
        }

        /// The attempt of the same call whose outcome is unknown: what it stored is new.
        private struct LostAttempt {
            let host: Int32
            /// The highest number that the server had confirmed before.
            let after: Int64
            let isPossible: Bool
        }

        /// Inserts what has no outcome yet as if all of it were new, which it is in all but rare cases; finds out what was
        /// in the way if something was.
        private func insert(
            _ batch: inout InsertBatch, _ lost: LostAttempt, _ connection: ServerConnection
        ) throws(OperationFailure) {
            let pending = batch.pending
            do throws(OperationFailure) {
                if try store(pending, of: &batch, host: lost.host, connection) { return }
                try findHighest(of: lost.host, connection)
            } catch {
                guard case .server(let failure) = error, failure.isRepeat else { throw error }
                if connection.isInTransaction { _ = try connection.execute([RecordTables.rollback]) }
                try compare(&batch, lost, connection)
                if batch.pending.count < pending.count { foundRepeat() }
                try findHighest(of: lost.host, connection)
            }
        }

        /// Inserts records with the numbers after the highest.
        ///
        /// - Returns: False if nothing was inserted, because the server knows another highest number, or not this host.
        private func store(
            _ pending: [Int], of batch: inout InsertBatch, host: Int32, _ connection: ServerConnection
        ) throws(OperationFailure) -> Bool {
            let highest = confirmed()
            let now = ContinuousClock.now
            let parts = batch.parts(of: pending, bytes: Self.statementBytes)
            func make(_ part: ArraySlice<Int>) throws(StoreError) -> ServerStatement {
                // A part's first index is the number of the records before it.
                try tables.insert(
                    batch.arrivals(at: part), digests: batch.digests(at: part), host: host,
                    after: highest + Int64(part.startIndex))
            }
            let files = batch.arrivals(at: pending).compactMap(\.record.file)
            let numbers =
                parts.count == 1 && files.isEmpty
                ? try connection.change([
                    try OperationFailure.ofStore { () throws(StoreError) in try make(parts[0]) }
                ])
                : try connection.changeTogether(parts.count + (files.isEmpty ? 0 : 1)) { place throws(StoreError) in
                    place < parts.count ? try make(parts[place]) : tables.settle(files: files)
                }
            guard numbers.prefix(parts.count).reduce(0, +) == pending.count else { return false }
            connection.checkedUntil = connection.isPooled ? nil : now + Self.checkInterval
            for (offset, place) in pending.enumerated() { batch.note(stored: highest + 1 + Int64(offset), at: place) }
            confirm(highest + Int64(pending.count))
            return true
        }

        /// Inserts one new record on a connection that was checked, and returns its number; nil if something was in the
        /// way.
        private func storeAlone(
            _ arrival: RecordArrival, host: Int32, _ connection: ServerConnection
        ) throws(OperationFailure) -> Int64? {
            let sequence = confirmed() + 1
            let insertion = try OperationFailure.ofStore { () throws(StoreError) in
                try tables.insertOne(
                    arrival, digest: ContentDigest.of(arrival.record.archive), host: host, sequence: sequence)
            }
            do throws(OperationFailure) {
                _ = try connection.change([insertion])
            } catch {
                guard case .server(let failure) = error, failure.isRepeat else { throw error }
                // In case it was the number: the insertion that follows finds out.
                connection.checkedUntil = nil
                return nil
            }
            confirm(sequence)
            return sequence
        }

        /// Compares the server's highest number of this host with the one that it confirmed, and goes on after the higher.
        private func findHighest(of host: Int32, _ connection: ServerConnection) throws(OperationFailure) {
            let known = confirmed()
            guard let found = try connection.execute([tables.highest(of: host)]).first?.first?.integer(0) else {
                throw .store(missingWriter)
            }
            confirm(found)
            guard found < known else { return }
            notice(.wentBack(confirmed: known, found: found))
            _ = try connection.transact([tables.lockWriter(host), tables.settle(host, at: known)])
        }

        /// True for some batches after one with a repeat: repeats come together, after an outage.
        private func isExpectingRepeats() -> Bool {
            expectedRepeats.withLock { left in
                left = max(0, left - 1)
                return left > 0
            }
        }

        private func foundRepeat() { expectedRepeats.withLock { $0 = Self.batchesWithRepeats } }

        /// Finds out about what was there before: in a statement of its own, which sees all that it met.
        private func compare(
            _ batch: inout InsertBatch, _ lost: LostAttempt, _ connection: ServerConnection
        ) throws(OperationFailure) {
            let pending = batch.pending
            guard !pending.isEmpty else { return }
            let keys = batch.arrivals(at: pending).map(\.record.key)
            for row in try connection.execute([tables.digests(of: keys)]).first ?? [] {
                guard let position = row.integer(0), let digest = row.bytes(1),
                    pending.indices.contains(Int(position) - 1)
                else { continue }
                let place = pending[Int(position) - 1]
                if lost.isPossible, row.integer(3) == Int64(lost.host), let sequence = row.integer(4),
                    sequence > lost.after, batch.digests(at: [place]) == [digest]
                {
                    batch.note(stored: sequence, at: place)
                    confirm(sequence)
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
                let answers = try transact(
                    [tables.lockWriter(writer.number), deletion], deleting: [key], connection)
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
                let answers = try transact(
                    [
                        tables.lockWriters(writer.number, hostsOf: keys), tables.settle(hostsOf: keys),
                        tables.remove(keys, host: writer.number),
                    ], deleting: keys, connection)
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
