import Foundation
import KeyedArchive
import Testing

@testable import QuizSync
@testable import RecordSync

@Suite("Payloads and acknowledgements by template")
struct TemplateTests {
    private let templates = PayloadTemplates()

    private func archived(_ archive: Data, after predecessor: UUID? = nil) throws -> Data {
        var payload = [Payload.dataKey: archive]
        if let predecessor { payload[Payload.predecessorKey] = withUnsafeBytes(of: predecessor.uuid) { Data($0) } }
        return try KeyedArchiver.archivedData(withRootObject: payload, requiringSecureCoding: true)
    }

    private func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255) }) }

    @Test("A payload equals the archiver's, byte for byte, and is decoded to the same quiz")
    func payloads() throws {
        for count in [0, 5, 31, 32, 100, 700, 16_384, 20_000] {
            // Often enough that a template is created.
            for _ in 0..<12 {
                for predecessor in [nil, UUID()] {
                    let archive = bytes(count)
                    let payload = try templates.payload(around: archive, after: predecessor)
                    let expected = try archived(archive, after: predecessor)
                    #expect(payload == expected)
                    let known = templates.content(of: payload)
                    #expect(
                        known == nil || known == PayloadContent(archive: archive, predecessor: predecessor),
                        "\(String(describing: known))")
                    let named = try PayloadContent(payload: payload).predecessor
                    #expect(named == predecessor)
                }
            }
            for predecessor in [nil, UUID()] {
                let isKnown = templates.content(of: try archived(bytes(count), after: predecessor)) != nil
                #expect(isKnown == (32...16_384).contains(count))
            }
        }
    }

    @Test("A payload with any other byte changed does not match the template")
    func mutations() throws {
        let archive = bytes(64)
        let predecessor = UUID()
        for _ in 0..<12 { _ = try templates.payload(around: archive, after: predecessor) }
        let good = try archived(archive, after: predecessor)
        let values = [archive, withUnsafeBytes(of: predecessor.uuid) { Data($0) }]
        let places = try values.map { try #require(good.range(of: $0)) }
        for index in good.indices {
            var bad = good
            bad[index] ^= 0x01
            #expect((templates.content(of: bad) != nil) == places.contains { $0.contains(index) }, "byte \(index)")
        }
    }

    @Test("A predecessor that is not an identifier makes a payload unreadable")
    func predecessors() throws {
        for value in [Data(count: 15), Data(count: 17), "text"] as [Any] {
            let payload: [String: Any] = [Payload.dataKey: Data([1]), Payload.predecessorKey: value]
            #expect(throws: PayloadError.self) { try PayloadContent(payload) }
            let archive = try KeyedArchiver.archivedData(withRootObject: payload, requiringSecureCoding: true)
            #expect(throws: PayloadError.self) { try PayloadContent(payload: archive) }
        }
    }

    @Test("Many different lengths are handled")
    func lengths() throws {
        for count in 32..<400 {
            for _ in 0..<9 {
                let archive = bytes(count)
                let payload = try templates.payload(around: archive)
                let expected = try archived(archive)
                #expect(payload == expected)
            }
        }
    }

    @Test("An acknowledgement equals the archiver's, byte for byte, and is decoded to the same values")
    func acknowledgements() throws {
        for verdict in QuizVerdict.allCases {
            let digest = bytes(32)
            let cases: [(UUID?, Data?, String?)] = [
                (UUID(), nil, nil), (nil, nil, nil), (UUID(), nil, "why"), (UUID(), digest, nil),
                (UUID(), digest, "why"),
                (nil, digest, nil), (UUID(), bytes(31), nil),
            ]
            for (identifier, digest, message) in cases {
                let acknowledgement = RecordAcknowledgement(
                    identifier, verdict, digest: digest, message: message,
                    as: RecordApplication.quizzes.acknowledgements)
                let archive = try acknowledgement.archivedData()
                let archiver = KeyedArchiver(requiringSecureCoding: true)
                archiver.setClassName("QuizAcknowledgement", for: RecordAcknowledgement.self)
                archiver.encode(acknowledgement, forKey: "root")
                let slow = archiver.encodedData
                #expect(archive == slow)
                let read = try #require(try RecordApplication.quizzes.acknowledgements.read(archive))
                #expect(read.identifier == identifier)
                #expect(read.verdict == verdict)
                #expect(read.digest == digest)
                #expect(read.message == message)
            }
        }
        #expect(throws: (any Error).self) { try RecordApplication.quizzes.acknowledgements.read(Data([1, 2, 3])) }
    }

    @Test("Of 128 forms the templates are kept; one more begins anew")
    func mostForms() throws {
        func isKnown(_ count: Int) throws -> Bool { templates.content(of: try archived(bytes(count))) != nil }
        func use(_ count: Int) throws {
            for _ in 0..<8 { _ = try templates.payload(around: bytes(count)) }
        }
        for count in 32..<160 { try use(count) }
        let full = try [32, 33, 158, 159].map(isKnown)
        #expect(full == [true, true, true, true])
        try use(160)
        let anew = try [32, 33, 158, 159, 160].map(isKnown)
        #expect(anew == [false, false, false, false, true])
        try use(32)
        let again = try [32, 160].map(isKnown)
        #expect(again == [true, true])
    }
}
