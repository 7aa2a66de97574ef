#if PostgreSQL
    import Glibc
    import Locking
    import PostgreSQLRules
    import RecordStorage

    /// One connection for one kind of use, made when it is needed and made again when it is lost.
    // Proof of `@unchecked Sendable`: all state is used under the lock.
    final class ConnectionLane: @unchecked Sendable {
        private let settings: PostgreSQLSettings
        private let notice: @Sendable (PostgreSQLNotice) -> Void
        private let lock = ManualLock()
        private var search: ServerSearch?
        private var connection: ServerConnection?

        init(_ settings: PostgreSQLSettings, notice: @escaping @Sendable (PostgreSQLNotice) -> Void) {
            (self.settings, self.notice) = (settings, notice)
        }

        func close() {
            lock.lock()
            defer { lock.unlock() }
            connection = nil
        }

        /// Runs an operation, as often as needed until it has an outcome, or the patience is at its end.
        ///
        /// - Parameter operation: Must have the same effect when it runs again. The flag is true after an attempt whose
        ///   outcome is unknown.
        func run<Result>(
            _ attempt: String, _ operation: (ServerConnection, _ isUnknown: Bool) throws(OperationFailure) -> Result
        ) throws(StoreError) -> Result {
            lock.lock()
            defer { lock.unlock() }
            let deadline = ContinuousClock.now + settings.patience
            var (backoff, isUnknown) = (Backoff(), false)
            while true {
                let failure: ServerFailure
                do throws(OperationFailure) {
                    return try operation(try connected(), isUnknown)
                } catch {
                    switch error {
                    case .store(let error):
                        rollBack()
                        throw error
                    case .server(let error): failure = error
                    }
                }
                let wasConnected = connection != nil
                let response = recover(from: failure)
                // A server that shuts down may have committed before it said so.
                if wasConnected, failure.isConnectionLost || response == .reconnect { isUnknown = true }
                if case .report(let kind) = response { throw self.error(kind, attempt, failure) }
                let pause = backoff.pause(jitter: .random(in: 0...1))
                guard ContinuousClock.now + pause < deadline else { throw error(.unavailable, attempt, failure) }
                if response != .retryUnprepared { Self.sleep(pause) }
            }
        }

        private static func sleep(_ pause: Duration) {
            let (seconds, attoseconds) = pause.components
            usleep(UInt32(truncatingIfNeeded: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
        }

        /// Brings the connection into a state for the next attempt, or gives it up.
        private func recover(from failure: ServerFailure) -> FailureResponse {
            let response = failure.response
            if response == .retryUnprepared { connection?.stopPreparing() }
            if failure.isConnectionLost || response == .reconnect {
                connection = nil
                notice(.lost(reason: failure.description))
                if case .retry = response { return .reconnect }
                return response
            }
            rollBack()
            return response
        }

        /// Ends a transaction that failed in the middle.
        private func rollBack() {
            guard let open = connection, open.isInTransaction else { return }
            do throws(ServerFailure) {
                _ = try open.run([RecordTables.rollback])
            } catch {
                connection = nil
            }
        }

        private func connected() throws(OperationFailure) -> ServerConnection {
            if let connection { return connection }
            if search == nil {
                search = try OperationFailure.ofStore { () throws(StoreError) in try ServerSearch(settings) }
            }
            return try OperationFailure.ofServer { () throws(ServerFailure) in
                guard let new = try search?.connect() else {
                    throw ServerFailure(state: nil, message: "no server", isConnectionLost: true)
                }
                try Self.checkPromise(new)
                connection = new
                notice(.connected(server: new.server, isPooled: new.isPooled))
                return new
            }
        }

        /// Refuses a server that confirms what is not durable. Servers without these settings have no such mode.
        private static func checkPromise(_ connection: ServerConnection) throws(ServerFailure) {
            let answers = try connection.run([
                ServerStatement(
                    """
                    SELECT coalesce(current_setting('synchronous_commit', true), ''),
                        coalesce(current_setting('fsync', true), '')
                    """, isRepeated: false)
            ])
            for (place, name) in ["synchronous_commit", "fsync"].enumerated()
            where answers.first?.first?.text(place) == "off" {
                throw ServerFailure(
                    state: "55000",
                    message:
                        "the server's setting \(name) is off: it would confirm records that a power cut loses; turn it on for this database",
                    isConnectionLost: false)
            }
        }

        private func error(_ kind: StoreError.Kind, _ attempt: String, _ failure: ServerFailure) -> StoreError {
            let advice =
                switch kind {
                case .unavailable: "check the server and the network; the next use tries again"
                case .displaced: "create the database, or restore it, and check the URL"
                case .damaged: "restore the database from a backup"
                case .refused where failure.isAboutFile: "keep the file of a record before the record"
                case .refused: "check the URL, the user's rights, and the server's log"
                }
            return StoreError(kind, "\(attempt) in \(settings.address) failed: \(failure); \(advice)")
        }
    }
#endif
