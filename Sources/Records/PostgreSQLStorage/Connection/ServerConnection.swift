#if PostgreSQL
    internal import CPostgreSQL
    import Foundation
    import Glibc
    import PostgreSQLRules

    /// A connection to one server, in libpq's pipeline mode: it never writes without reading, and never waits without a
    /// deadline.
    ///
    /// Not for several threads at once: a ``ConnectionLane`` owns it.
    final class ServerConnection {
        private let handle: OpaquePointer
        private let limit: Duration
        /// True if statements are not prepared, because a pooler hands out another session for each transaction.
        let isPooled: Bool
        let server: String
        /// The time until which a single record is inserted without a look at the host's row; nil before the first look.
        var checkedUntil: ContinuousClock.Instant?
        var isChecked: Bool { checkedUntil.map { .now < $0 } ?? false }
        private var preparesStatements: Bool
        /// The names of prepared statements by their text.
        private var names: [String: String] = [:]

        /// Connects to a server.
        ///
        /// - Parameter parameters: libpq's parameters, with one host.
        init(
            _ parameters: [String: String], server: String, isPooled: Bool, connectionLimit: Duration, limit: Duration
        ) throws(ServerFailure) {
            let words = parameters.sorted { $0.key < $1.key }
            let keys = words.map { strdup($0.key) } + [nil]
            let values = words.map { strdup($0.value) } + [nil]
            defer { for text in keys + values { free(text) } }
            let started = keys.map { UnsafePointer($0) }.withUnsafeBufferPointer { keys in
                values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                    PQconnectStartParams(keys.baseAddress, values.baseAddress, 0)
                }
            }
            guard let started else {
                throw ServerFailure(state: nil, message: "out of memory", isConnectionLost: true)
            }
            handle = started
            (self.server, self.isPooled, self.limit) = (server, isPooled, limit)
            preparesStatements = !isPooled
            // The server's warnings would go to standard error.
            PQsetNoticeReceiver(handle, { _, _ in }, nil)
            try connect(until: .now + connectionLimit)
            guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw failure() }
        }

        deinit { PQfinish(handle) }

        private func connect(until deadline: ContinuousClock.Instant) throws(ServerFailure) {
            guard PQstatus(handle) != CONNECTION_BAD else { throw failure() }
            var wanted = Int16(POLLOUT)
            while true {
                guard try wait(for: wanted, until: deadline) else {
                    throw ServerFailure(
                        state: nil, message: "no answer to the connection in time", isConnectionLost: true)
                }
                switch PQconnectPoll(handle) {
                case PGRES_POLLING_OK: return
                case PGRES_POLLING_READING: wanted = Int16(POLLIN)
                case PGRES_POLLING_WRITING: wanted = Int16(POLLOUT)
                default: throw failure()
                }
            }
        }

        /// Waits for the socket. Returns false at the deadline.
        private func wait(
            for events: Int16, until deadline: ContinuousClock.Instant
        ) throws(ServerFailure) -> Bool {
            while true {
                let left = deadline - .now
                guard left > .zero else { return false }
                var entry = pollfd(fd: PQsocket(handle), events: events, revents: 0)
                let (seconds, attoseconds) = left.components
                // Rounded up: zero would not wait at all.
                let milliseconds = min(seconds, 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
                let count = poll(&entry, 1, Int32(truncatingIfNeeded: milliseconds))
                if count > 0 { return true }
                if count < 0, errno != EINTR {
                    throw ServerFailure(
                        state: nil, message: "poll: \(String(cString: strerror(errno)))", isConnectionLost: true)
                }
            }
        }

        /// The failure of the connection, in libpq's words without the details.
        private func failure() -> ServerFailure {
            let text = String(cString: PQerrorMessage(handle))
            let first = text.split(separator: "\n").first.map(String.init) ?? "the connection failed"
            let state = Self.connectionStates.first { words in words.words.allSatisfy(text.contains) }?.state
            return ServerFailure(
                state: state, message: first, isConnectionLost: PQstatus(handle) == CONNECTION_BAD)
        }

        /// libpq does not tell the SQLSTATE of a failed connection, so these are recognised by their words, which
        /// `lc_messages` may translate: then they are taken for an outage.
        private static let connectionStates: [(words: [String], state: String)] = [
            (["password authentication failed"], "28P01"), (["no password supplied"], "28P01"),
            (["no pg_hba.conf entry"], "28000"), (["Peer authentication failed"], "28000"),
            (["FATAL:  role", "does not exist"], "28000"), (["FATAL:  database", "does not exist"], "3D000"),
            (["too many clients"], "53300"), (["remaining connection slots"], "53300"),
            (["unsupported startup parameter"], "08P01"), (["is not permitted to log in"], "28000"),
            (["certificate verify failed"], "28000"), (["does not match host name"], "28000"),
            (["root certificate file"], "28000"), (["server does not support SSL"], "28000"),
            (["the database system is"], "57P03"), (["session is read-only"], "25006"),
            (["server is in hot standby mode"], "25006"),
        ]

        /// True if TLS protects the connection.
        var isEncrypted: Bool { PQsslInUse(handle) == 1 }

        /// True if a transaction failed and waits to be rolled back.
        var isInTransaction: Bool {
            let status = PQtransactionStatus(handle)
            return status == PQTRANS_INERROR || status == PQTRANS_INTRANS
        }

        /// From now on, statements are not prepared.
        func stopPreparing() {
            preparesStatements = false
            names = [:]
        }

        // MARK: - Statements

        /// Sends statements together and returns the rows of each.
        ///
        /// - Throws: The first failure. The statements after it were not executed.
        func run(_ statements: [ServerStatement]) throws(ServerFailure) -> [[ServerRow]] {
            try run(statements, reading: Self.rows)
        }

        /// Sends statements together and returns something of each one's result.
        func run<Answer>(
            _ statements: [ServerStatement], reading read: (OpaquePointer) -> Answer
        ) throws(ServerFailure) -> [Answer] {
            let deadline = ContinuousClock.now + limit
            var expected: [Expectation] = []
            for statement in statements { try send(statement, &expected) }
            guard PQpipelineSync(handle) == 1 else { throw failure() }
            return try receive(expected, until: deadline, reading: read)
        }

        /// Sends statements one by one, so that the server begins while the next is made, and returns the number of rows
        /// that each changed.
        ///
        /// - Parameters:
        ///   - first: The statement before them, which begins a transaction.
        ///   - last: The statement after them, which is not sent if one of them could not be made.
        func change<Refusal>(
            _ first: ServerStatement, _ last: ServerStatement, count: Int,
            making make: (Int) throws(Refusal) -> ServerStatement
        ) throws(ServerFailure) -> Result<[Int], Refusal> {
            let deadline = ContinuousClock.now + limit
            var (expected, refusal) = ([Expectation](), Refusal?.none)
            try send(first, &expected)
            for place in 0..<count {
                let made: ServerStatement
                do throws(Refusal) {
                    made = try make(place)
                } catch {
                    refusal = error
                    break
                }
                try send(made, &expected)
                // What does not fit into the socket now is sent while the answers are read.
                guard PQflush(handle) >= 0 else { throw lost() }
            }
            if refusal == nil { try send(last, &expected) }
            guard PQpipelineSync(handle) == 1 else { throw failure() }
            let numbers = try receive(expected, until: deadline, reading: Self.changes)
            if let refusal { return .failure(refusal) }
            return .success(Array(numbers.dropFirst().dropLast()))
        }

        private enum Expectation {
            case preparation(text: String)
            case rows
        }

        private func send(_ statement: ServerStatement, _ expected: inout [Expectation]) throws(ServerFailure) {
            guard preparesStatements, statement.isRepeated else {
                try send(statement, name: nil)
                expected.append(.rows)
                return
            }
            let name: String
            if let known = names[statement.text] {
                name = known
            } else {
                name = statement.name
                let types = statement.parameters.map(\.type.rawValue)
                guard PQsendPrepare(handle, name, statement.text, Int32(types.count), types) == 1 else {
                    throw failure()
                }
                expected.append(.preparation(text: statement.text))
                // Also for the next of the same text in this pipeline: of the same name there can be only one.
                names[statement.text] = name
            }
            try send(statement, name: name)
            expected.append(.rows)
        }

        private func send(_ statement: ServerStatement, name: String?) throws(ServerFailure) {
            let parameters = statement.parameters
            let count = Int32(parameters.count)
            let lengths = parameters.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: parameters.count)
            let types = parameters.map(\.type.rawValue)
            var values: [UnsafePointer<CChar>?] = []
            values.reserveCapacity(parameters.count)
            // Each call keeps one parameter's address valid during the next.
            func push() -> Int32 {
                guard values.count == parameters.count else {
                    guard let bytes = parameters[values.count].bytes else {
                        values.append(nil)
                        return push()
                    }
                    return bytes.withUnsafeBytes { buffer in
                        // A buffer without bytes has no address, and that would mean NULL.
                        guard let base = buffer.baseAddress, !buffer.isEmpty else {
                            return "".withCString { empty in
                                values.append(empty)
                                return push()
                            }
                        }
                        values.append(base.assumingMemoryBound(to: CChar.self))
                        return push()
                    }
                }
                return name.map { PQsendQueryPrepared(handle, $0, count, values, lengths, formats, 1) }
                    ?? PQsendQueryParams(handle, statement.text, count, types, values, lengths, formats, 1)
            }
            guard push() == 1 else { throw failure() }
        }

        /// Reads while it writes, until everything that was sent is answered.
        private func receive<Answer>(
            _ expected: [Expectation], until deadline: ContinuousClock.Instant, reading read: (OpaquePointer) -> Answer
        ) throws(ServerFailure) -> [Answer] {
            var (answers, place) = ([Answer](), 0)
            var first: ServerFailure?
            while true {
                let unsent = PQflush(handle)
                guard unsent >= 0 else { throw lost() }
                while PQisBusy(handle) == 0 {
                    guard let result = PQgetResult(handle) else {
                        // The end of one statement's results, or of what there is.
                        place += 1
                        guard place <= expected.count + 1 else { throw lost() }
                        continue
                    }
                    defer { PQclear(result) }
                    switch PQresultStatus(result) {
                    case PGRES_PIPELINE_SYNC:
                        if let first { throw first }
                        return answers
                    case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                        guard expected.indices.contains(place) else { throw lost() }
                        if case .rows = expected[place] { answers.append(read(result)) }
                    case PGRES_PIPELINE_ABORTED: forget(expected, at: place)
                    default:
                        forget(expected, at: place)
                        first = first ?? failure(result)
                    }
                    if PQstatus(handle) == CONNECTION_BAD { throw first ?? lost() }
                }
                if PQstatus(handle) == CONNECTION_BAD { throw first ?? lost() }
                guard try wait(for: Int16(unsent == 1 ? POLLIN | POLLOUT : POLLIN), until: deadline) else {
                    throw ServerFailure(state: nil, message: "no answer in time", isConnectionLost: true)
                }
                guard PQconsumeInput(handle) == 1 else { throw first ?? lost() }
            }
        }

        /// Forgets a statement that was not prepared.
        private func forget(_ expected: [Expectation], at place: Int) {
            if expected.indices.contains(place), case .preparation(let text) = expected[place] { names[text] = nil }
        }

        private func lost() -> ServerFailure {
            let failure = failure()
            return ServerFailure(state: failure.state, message: failure.message, isConnectionLost: true)
        }

        private func failure(_ result: OpaquePointer) -> ServerFailure {
            func field(_ code: Character) -> String? {
                PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
            }
            return ServerFailure(
                state: field("C"), message: field("M") ?? "the server sent an unknown answer",
                isConnectionLost: PQstatus(handle) == CONNECTION_BAD)
        }

        /// The number of rows that a statement changed.
        static func changes(_ result: OpaquePointer) -> Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

        private static func rows(_ result: OpaquePointer) -> [ServerRow] {
            let (rows, fields) = (PQntuples(result), PQnfields(result))
            guard rows > 0 else { return [] }
            return (0..<rows).map { row in
                ServerRow(
                    (0..<fields).map { field in
                        guard PQgetisnull(result, row, field) == 0, let value = PQgetvalue(result, row, field) else {
                            return nil
                        }
                        return Data(bytes: value, count: Int(PQgetlength(result, row, field)))
                    })
            }
        }
    }
#endif
