import CPeerClients
import Foundation
import KeyedArchive

/// WatchLink beside servers and libraries of other projects, in the same rounds, on the same files and kind of socket.
/// The report names what is not installed.
struct PeersBenchmark {
    let effort: Effort
    let folder: BenchFolder

    /// One competitor in a round.
    private struct Runner {
        let name: String
        let sample: () throws -> Outcome
    }

    func report(progress: (String) -> Void) throws -> Report {
        var missing: [String] = []
        var rows: [Measurement] = []
        progress("messages beside peers")
        for outstanding in [1, 256] { rows += try messages(outstanding, &missing) }
        progress("durable quizzes beside peers")
        for outstanding in [1, 256] { rows += try durable(outstanding, &missing) }
        progress("the codec beside peers")
        rows += try propertyLists(&missing)
        rows += try protobuf(&missing)
        let names = Set(missing).sorted()
        var notes = [
            "Clients are written in C, with blocking calls. A request is a quiz of about 900 bytes; 256 under way at PostgreSQL are one transaction."
        ]
        if !names.isEmpty { notes.append("Not installed here (packages of Debian): \(names.joined(separator: ", ")).") }
        let place = try folder.isInMemory ? "a memory file system" : "the disk"
        return Report(title: "Peers in the same rounds, databases on \(place)", notes: notes, rows: rows)
    }

    // MARK: - Servers

    private func messages(_ outstanding: Int, _ missing: inout [String]) throws -> [Measurement] {
        let options = options(outstanding)
        let link = try MeasuredServer("link", options, in: folder)
        let session = try MeasuredServer("session", options, in: folder)
        var others = try start([.redis, .mosquitto], options, &missing)
        var zeroMQ: MeasuredServer?
        if watchlink_has_zeromq() {
            let server = try MeasuredServer(
                OtherClient.zeroMQ, drivenBy: OtherClient.prefix + OtherClient.zeroMQ, options, in: folder)
            zeroMQ = server
            others.append(Runner(name: "ZeroMQ") { try server.sample() })
        } else {
            missing.append("libzmq5")
        }
        let ours = [Runner(name: "link") { try link.sample() }, Runner(name: "WCSession") { try session.sample() }]
        return try withExtendedLifetime(zeroMQ) { try race("messages", outstanding, ours, others) }
    }

    private func durable(_ outstanding: Int, _ missing: inout [String]) throws -> [Measurement] {
        let pair = try ServicePair(in: folder, ["host"])
        var options = options(outstanding)
        let kinds = OtherServer.Kind.allCases.filter { $0.isDurable && $0.mostUnderWay >= outstanding }
        let others = try start(kinds, options, &missing)
        options.socket = pair.socket
        let ours = Runner(name: "host") { [options] in try PeerProcess.drive("durable", options) }
        let rows = try race("durable quizzes", outstanding, [ours], others)
        try pair.stop(["host"])
        return rows
    }

    private func options(_ outstanding: Int) -> PeerOptions {
        var options = PeerOptions(socket: "")
        options.seconds = effort.seconds
        options.outstanding = outstanding
        return options
    }

    private func start(
        _ kinds: [OtherServer.Kind], _ options: PeerOptions, _ missing: inout [String]
    ) throws -> [Runner] {
        try kinds.compactMap { kind in
            guard let server = try OtherServer.start(kind, in: folder) else {
                missing.append(kind.package)
                return nil
            }
            return Runner(name: kind.name, sample: { try server.drive(options) })
        }
    }

    /// Takes samples of all in turn, and compares each of ours with each of the others.
    private func race(
        _ what: String, _ outstanding: Int, _ ours: [Runner], _ others: [Runner]
    ) throws -> [Measurement] {
        let all = ours + others
        var outcomes = all.map { _ in [Outcome]() }
        for _ in 0..<effort.rounds {
            for (place, runner) in all.enumerated() { outcomes[place].append(try runner.sample()) }
        }
        let medians = outcomes.map(Outcome.median)
        return ours.indices.flatMap { mine in
            others.indices.map { place in
                let (our, other) = (medians[mine], medians[ours.count + place])
                let isRate = outstanding > 1
                return Measurement(
                    name: "\(what), \(outstanding) under way: \(ours[mine].name)\(isRate ? "" : ", p50")",
                    value: isRate ? our.rate : our.p50, unit: isRate ? .perSecond : .seconds,
                    reference: (others[place].name, isRate ? other.rate : other.p50),
                    details: [
                        ("p50", our.p50), ("p99", our.p99), ("p50 of the peer", other.p50),
                        ("p99 of the peer", other.p99),
                    ])
            }
        }
    }

    // MARK: - Codecs

    private func propertyLists(_ missing: inout [String]) throws -> [Measurement] {
        guard watchlink_has_libplist() else {
            missing.append("libplist3")
            return []
        }
        let quizzes = (1...CodecBenchmark.many).map { AppleQuiz(BenchmarkQuiz(number: $0)) }
        return try propertyList("q", quizzes[0]) + propertyList("q64", quizzes as NSArray)
    }

    /// The archive of an object, as values and as objects of libplist; beside it the whole way from and to the object.
    private func propertyList(_ name: String, _ object: Any) throws -> [Measurement] {
        let archive = try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        let value = try PropertyListValue(binary: archive)
        let objects = archive.withUnsafeBytes {
            watchlink_libplist_objects($0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        guard let objects else { throw BenchError("libplist cannot read an archive") }
        let encoding = try Race.run(
            effort,
            [
                Contender(name: "ours") {
                    _ = try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
                },
                Contender(name: "values") { _ = try value.binaryData() },
                Contender(name: "libplist") {
                    guard watchlink_libplist_write(objects) > 0 else { throw BenchError("libplist cannot write") }
                },
            ])
        let decoding = try Race.run(
            effort,
            [
                Contender(name: "ours") { try CodecBenchmark.decode(object, archive) },
                Contender(name: "values") { _ = try PropertyListValue(binary: archive) },
                Contender(name: "libplist") {
                    _ = archive.withUnsafeBytes {
                        watchlink_libplist_read($0.bindMemory(to: UInt8.self).baseAddress, $0.count)
                    }
                },
            ])
        return [("encode", encoding), ("decode", decoding)].flatMap { direction, figures in
            [("as Apple code", figures[0]), ("property list values", figures[1])].map { form, figure in
                Measurement(
                    name: "\(name) \(direction), \(form)", value: figure.nanoseconds / 1e9, unit: .seconds,
                    reference: ("libplist, values only", figures[2].nanoseconds / 1e9))
            }
        }
    }

    private func protobuf(_ missing: inout [String]) throws -> [Measurement] {
        guard let program = try ProtobufProgram.compile(in: folder) else {
            missing += ["g++", "libprotobuf-dev", "protobuf-compiler"]
            return []
        }
        let quizzes = (1...CodecBenchmark.many).map { BenchmarkQuiz(number: $0) }
        let (quiz, list) = (quizzes[0], quizzes as NSArray)
        let one = try KeyedArchiver.archivedData(withRootObject: quiz, requiringSecureCoding: true)
        let all = try KeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
        let ours = try Race.run(
            effort,
            [
                Contender(name: "q encode") {
                    _ = try KeyedArchiver.archivedData(withRootObject: quiz, requiringSecureCoding: true)
                },
                Contender(name: "q decode") { try CodecBenchmark.decode(quiz, one) },
                Contender(name: "q64 encode") {
                    _ = try KeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
                },
                Contender(name: "q64 decode") { try CodecBenchmark.decode(list, all) },
            ])
        let theirs = try program.run(effort)
        return zip(
            ["q encode", "q decode", "q64 encode", "q64 decode"],
            zip(ours, [theirs.encode, theirs.decode, theirs.encodeMany, theirs.decodeMany])
        ).map { name, figures in
            Measurement(
                name: "\(name), Swift values", value: figures.0.nanoseconds / 1e9, unit: .seconds,
                reference: ("Protocol Buffers, C++", figures.1 / 1e9))
        }
    }
}
