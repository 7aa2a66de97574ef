import Foundation
import KeyedArchive
import Testing

@testable import QuizSync

@Suite("Payloads and acknowledgements by template")
struct TemplateTests {
    private let templates = PayloadTemplates()

    private func archived(_ archive: Data) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: [Payload.dataKey: archive], requiringSecureCoding: true)
    }

    private func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255) }) }

    @Test("A payload is the archiver's, byte for byte, and is read as what it was made of")
    func payloads() throws {
        for count in [0, 5, 31, 32, 100, 700, 16_384, 20_000] {
            // Often enough that a template is made on the way.
            for _ in 0..<12 {
                let archive = bytes(count)
                let payload = try templates.payload(around: archive)
                #expect(payload == (try archived(archive)))
                let known = templates.archive(in: payload)
                #expect(known == nil || known == archive)
            }
            #expect((templates.archive(in: try archived(bytes(count))) != nil) == (32...16_384).contains(count))
        }
    }

    @Test("A payload with any other byte changed is no template's")
    func mutations() throws {
        let archive = bytes(64)
        for _ in 0..<12 { _ = try templates.payload(around: archive) }
        let good = try archived(archive)
        let place = try #require(good.range(of: archive))
        for index in good.indices {
            var bad = good
            bad[index] ^= 0x01
            #expect((templates.archive(in: bad) != nil) == place.contains(index))
        }
    }

    @Test("Many lengths are no harm")
    func lengths() throws {
        for count in 32..<400 {
            for _ in 0..<9 {
                let archive = bytes(count)
                #expect(try templates.payload(around: archive) == archived(archive))
            }
        }
    }

    @Test("An acknowledgement is the archiver's, byte for byte, and is read as what it was made of")
    func acknowledgements() throws {
        for verdict in QuizVerdict.allCases {
            for (identifier, message) in [(UUID(), nil), (nil, nil), (UUID(), "why")] as [(UUID?, String?)] {
                let acknowledgement = QuizAcknowledgement(identifier, verdict, message: message)
                let archive = try acknowledgement.archivedData()
                let slow = try KeyedArchiver.archivedData(withRootObject: acknowledgement, requiringSecureCoding: true)
                #expect(archive == slow)
                let read = try #require(try QuizAcknowledgement.read(archive))
                #expect(read.identifier == identifier && read.verdict == verdict && read.message == message)
            }
        }
        #expect(throws: (any Error).self) { try QuizAcknowledgement.read(Data([1, 2, 3])) }
    }
}
