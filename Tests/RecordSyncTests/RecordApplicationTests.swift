import CrashPoints
import EventLog
import Foundation
import KeyedArchive
import Testing

@testable import RecordSync

@Suite("Applications")
struct RecordApplicationTests {
    private let steps: RecordApplication
    private let orders: RecordApplication

    init() throws { (steps, orders) = (try RecordApplication(Step.self), try RecordApplication(Order.self)) }

    @Test("A kind has the names and columns of the payload's type, and its plural an “s” by default")
    func kinds() {
        let columns = [
            RecordColumn("count", .integer), RecordColumn("place", .text), RecordColumn("ended_at", .date),
            RecordColumn("distance", .real),
        ]
        #expect(steps.kind == RecordKind(name: "step", plural: "steps", columns: columns))
        #expect(orders.kind == RecordKind(name: "order", plural: "orders", columns: []))
    }

    private struct Illegal: RecordPayload, Codable {
        static let name = "two words"
        let identifier: UUID
    }

    @Test("A type whose name cannot be that of a table is refused")
    func illegal() {
        #expect(throws: RecordKindError.illegalName("two words")) { try RecordApplication(Illegal.self) }
    }

    @Test("A Codable payload and an object are archived and decoded, and a record has the values of the columns")
    func archives() throws {
        let (step, device) = (Step(), UUID())
        let record = try steps.record(step, device: device)
        #expect(record.key == RecordKey(step.identifier, device: device))
        #expect(record.values == [.integer(7), .text("at home"), .date(step.endedAt), .real(1.5)])
        let read = try steps.decoded(from: record.archive) as? Step
        #expect(read == step)
        let order = Order()
        let archive = try orders.record(order, device: device).archive
        let decoded = try orders.decoded(from: archive) as? Order
        #expect(decoded?.text == "a pear")
        #expect(decoded?.identifier == order.identifier)
        let name = try PropertyListValue(archive: try steps.record(step, device: device).archive)
        #expect(name["place"] == .string("at home"), "other programs read it as a dictionary")
    }

    @Test("A document has times as text, and is decoded to the same payload; a wrong field is named")
    func documents() throws {
        let step = Step()
        let document = try step.document()
        let text = String(decoding: document, as: UTF8.self)
        #expect(text.contains("\"2023-11-14T22:13:20.250Z\""), "\(text)")
        let read = try steps.decoded(fromDocument: document) as? Step
        #expect(read == step)
        let errors: [(String, String, PayloadError)] = [
            (
                "2023-11-14T22:13:20.250Z", "now",
                .invalid(field: "endedAt", reason: "is not a time such as 2026-11-20T18:30:00Z")
            ),
            (":7", ":true", .invalid(field: "count", reason: "is not an object")),
            ("\"place\"", "\"plaice\"", .invalid(field: "place", reason: "is missing")),
            (":7", ":0", .invalid(field: "count", reason: "is not positive")),
            (":7", ":1000000", .invalid(field: "step", reason: "nobody walks that far")),
            ("{", "[", .undecodable("the file is not JSON")),
        ]
        for (part, wrong, expected) in errors {
            let changed = Data(text.replacingOccurrences(of: part, with: wrong).utf8)
            let error = #expect(throws: PayloadError.self) { try steps.decoded(fromDocument: changed) }
            #expect(error == expected, "\(wrong)")
        }
    }

    @Test("Bytes that are no archive of the type are undecodable, with the application's article")
    func undecodable() throws {
        let order = try Order().archived()
        for (application, bytes, start) in [
            (steps, Data([1, 2]), "not a step: "), (steps, order, "not a step: "), (orders, Data(), "not an order: "),
            (orders, try Step().archived(), "not an order: "),
        ] {
            let error = #expect(throws: PayloadError.self) { try application.decoded(from: bytes) }
            guard case .undecodable = error else {
                #expect(Bool(false), "\(String(describing: error))")
                continue
            }
            #expect(error.map { application.kind.text($0).hasPrefix(start) } == true, "\(String(describing: error))")
        }
    }

    @Test("Archives are the same by the content of the payloads, not by their bytes")
    func sameness() throws {
        let step = Step()
        let archive = try step.archived()
        // The same content with another key, as by another version of the program.
        guard case .dictionary(var fields) = try PropertyListValue(archive: archive) else {
            return #expect(Bool(false), "not a dictionary")
        }
        fields["note"] = .string("by another program")
        let other = try PropertyListValue.dictionary(fields).archivedData()
        #expect(other != archive)
        #expect(steps.isSame(archive, other))
        let changed = try Step(step.identifier, count: 8).archived()
        #expect(!steps.isSame(archive, changed))
        #expect(!steps.isSame(archive, Data()))
        #expect(!steps.isSame(Data(), archive))
        // Objects have no other sameness than that of their archives.
        let (first, second) = (Order(), Order())
        let archives = [try first.archived(), try Order(first.identifier).archived(), try second.archived()]
        #expect(orders.isSame(archives[0], archives[1]))
        #expect(!orders.isSame(archives[0], archives[2]))
    }

    @Test("Events, crash points and texts have the name of the kind")
    func names() {
        #expect(steps.events.stored.text == "step stored")
        #expect(orders.events.accepted.meaning == "An order is durable in the outbox.")
        #expect(orders.events.imported.text == "orders imported")
        #expect(steps.events.stored.subsystem.name == "steps")
        #expect(steps.crashPoints.committed.name == "step-committed")
        let texts = Set((steps.events.ofDeliveries + steps.events.ofOperation).map(\.text))
        #expect(texts.count == 21)
        let answer = "the host's reply is about another order or different content"
        #expect(AttemptResult.mistakenReply(about: nil).outcome(orders.kind) == .unavailable(reason: answer))
        #expect(
            RecordSettlement.conflict.message(orders.kind)
                == "an order with this identifier but different content is already stored")
        #expect(Notification.Name.storeDidChange(of: steps.kind).rawValue == "WatchLinkStepStoreDidChange")
    }

    @Test("An acknowledgement under an application's own class name is read under that name and the standard one only")
    func acknowledgements() throws {
        let (own, identifier) = (AcknowledgementForm("OrderAcknowledgement"), UUID())
        for (digest, message) in [(Data(repeating: 7, count: 32), nil), (nil, "why")] as [(Data?, String?)] {
            let named = try RecordAcknowledgement(identifier, .stored, digest: digest, message: message, as: own)
                .archivedData()
            let standard = try RecordAcknowledgement(identifier, .stored, digest: digest, message: message)
                .archivedData()
            #expect(named != standard)
            for archive in [named, standard] {
                let read = try own.read(archive)
                #expect(read?.identifier == identifier)
                #expect(read?.digest == digest)
                #expect(read?.message == message)
            }
            #expect(throws: (any Error).self) { try AcknowledgementForm.standard.read(named) }
        }
    }

    @Test("A payload's name is read by any reader, with and without a template, and one that is no text is refused")
    func payloadNames() throws {
        let templates = PayloadTemplates()
        for name in [nil, "step", "order", ""] {
            for predecessor in [nil, UUID()] {
                // Often enough that a template is created.
                for _ in 0..<12 {
                    let archive = Data((0..<100).map { _ in UInt8.random(in: 0...255) })
                    let payload = try templates.payload(around: archive, after: predecessor, name: name)
                    let expected = PayloadContent(archive: archive, predecessor: predecessor, name: name)
                    let content = try PayloadContent(payload: payload)
                    #expect(content == expected)
                    let known = templates.content(of: payload)
                    #expect(known == nil || known == expected)
                }
            }
        }
        let wrong: [String: Any] = [Payload.dataKey: Data([1]), Payload.nameKey: 1]
        #expect(throws: PayloadError.self) { try PayloadContent(wrong) }
        let archive = try KeyedArchiver.archivedData(withRootObject: wrong, requiringSecureCoding: true)
        #expect(throws: PayloadError.self) { try PayloadContent(payload: archive) }
    }
}
