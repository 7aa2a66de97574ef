import EventLog
import Foundation
import KeyedArchive
import LinkProtocol
import RecordStorage
import TestSupport
import Testing

@testable import RecordSync
@testable import WatchConnectivity

@Suite("Files that arrive before their payloads")
struct FileReceiverTests: DataProvider {
    private let scratch: Scratch
    private let trips: RecordApplication
    private let store: SQLiteRecordStore
    private let receiver: RecordReceiver
    private let log = Collector<LogRecord>()
    private let device = UUID()
    private let content = Data("the places".utf8)

    init() throws {
        scratch = try Scratch()
        trips = try RecordApplication(Trip.self)
        store = try SQLiteRecordStore(kind: trips.kind, path: scratch.path("trips.sqlite"))
        let log = log
        receiver = RecordReceiver(
            of: trips, store: store, logger: Logger(service: "test", minimumLevel: .debug) { log.add($0) })
    }

    private var track: PayloadFile { PayloadFile(name: "track.gpx", content: content) }

    /// Passes a file as the delegate does.
    private func arrive(_ content: Data, as digest: Data) throws {
        let path = scratch.path(UUID().uuidString)
        try content.write(to: URL(filePath: path))
        receiver.received(
            WCSessionFile(
                fileURL: URL(filePath: path), metadata: [Payload.nameKey: "trip", Payload.digestKey: digest]))
    }

    /// Passes payloads as one round, and returns the verdicts.
    private func arrive(_ payloads: [(trip: Trip, after: UUID?)]) throws -> [RecordVerdict] {
        let answers = Collector<RecordAcknowledgement>()
        for (trip, predecessor) in payloads {
            let payload = try payload(around: trip.archived(), after: predecessor, name: "trip")
            receiver.received(
                MessagePackage(
                    identifier: trip.identifier, command: .sendMessageData, status: .received, dataPackage: payload,
                    wantsReply: true, timestamp: Date(), origin: device),
                reply: PendingReply { answers.add($0) })
        }
        receiver.roundEnded()
        answers.expect { $0.count == payloads.count }
        return payloads.compactMap { payload in
            answers.all.first { $0.identifier == payload.trip.identifier }?.verdict
        }
    }

    @Test("A payload is stored when its file is here, and both are durable then")
    func stored() throws {
        let trip = Trip(track: track)
        try arrive(content, as: track.digest)
        #expect(try arrive([(trip, nil)]) == [.stored])
        let row = try #require(try store.records(identifier: trip.identifier).first)
        #expect(row.record.file == track.digest)
        #expect(try store.content(of: track.digest) == content)
        #expect(try arrive([(trip, nil)]) == [.repeated])
    }

    @Test("A payload whose file is not here is sent back, and what was sent after it is not stored before it")
    func missing() throws {
        let (lacking, next) = (Trip(track: track), Trip())
        #expect(try arrive([(lacking, nil), (next, lacking.identifier)]) == [.fileMissing, .unavailable])
        #expect(try store.count() == 0)
        #expect(log.all.contains { $0.event.text == "trip file missing" })
        try arrive(content, as: track.digest)
        #expect(try arrive([(lacking, nil), (next, lacking.identifier)]) == [.stored, .stored])
        let order = try store.records(after: .start, limit: 9).map(\.record.key.identifier)
        #expect(order == [lacking.identifier, next.identifier])
    }

    @Test("A file with another digest than its sender says is not kept, and its payload is sent back")
    func damaged() throws {
        try arrive(Data("other places".utf8), as: track.digest)
        #expect(try store.content(of: track.digest) == nil)
        let refused = log.all.filter { $0.event.text == "trip file refused" }
        #expect(refused.count == 1, "\(log.all.map(\.event.text))")
        #expect(try arrive([(Trip(track: track), nil)]) == [.fileMissing])
    }

    @Test("A description beyond the limits is refused for ever")
    func limits() throws {
        let document = """
            {"identifier": "\(UUID())", "place": "", "track":
                {"name": "a/b", "bytes": 3, "sha256": "\(String(repeating: "0", count: 64))"}}
            """
        // An accent after the slash makes another character of both, but not another byte.
        for name in ["a/b", "a/\u{301}b"] {
            let named = document.replacingOccurrences(of: "a/b", with: name)
            #expect(throws: PayloadError.self, "\(name)") { try trips.decoded(fromDocument: Data(named.utf8)) }
        }
        let large = document.replacingOccurrences(of: "a/b", with: "b").replacingOccurrences(
            of: "\"bytes\": 3", with: "\"bytes\": 99999999")
        #expect(throws: PayloadError.invalid(field: "file", reason: "has 99999999 bytes; the limit is 16777216")) {
            try trips.decoded(fromDocument: Data(large.utf8))
        }
        let short = document.replacingOccurrences(of: "000", with: "")
        #expect(throws: PayloadError.self) { try trips.decoded(fromDocument: Data(short.utf8)) }
    }

    @Test("A store without files refuses a payload with one, and stores one without")
    func noFiles() throws {
        let plain = RecordKind(name: "trip", plural: "trips", columns: [])
        let store = try SQLiteRecordStore(kind: plain, path: scratch.path("plain.sqlite"))
        let answers = Collector<RecordAcknowledgement>()
        let receiver = RecordReceiver(of: trips, store: store, logger: .silent)
        for trip in [Trip(track: track), Trip()] {
            receiver.received(
                MessagePackage(
                    identifier: trip.identifier, command: .sendMessageData, status: .received,
                    dataPackage: try payload(around: trip.archived(), name: "trip"), wantsReply: true,
                    timestamp: Date(), origin: device),
                reply: PendingReply { answers.add($0) })
        }
        receiver.roundEnded()
        answers.expect { Set($0.map(\.verdict)) == [.invalid, .stored] }
        #expect(answers.all.contains { $0.message?.contains("keeps no files") == true })
    }
}
