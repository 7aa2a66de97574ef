import Foundation
import QuizSync
import Testing

@Suite("Identifiers of documents")
struct QuizIdentificationTests {
    private static let noon = "2025-11-20T12:00:00Z"

    private static func document(
        _ title: String, takenAt: String = noon, identifier: String? = nil
    ) throws -> QuizDocument {
        let answers = #""answers": [{"question": "q", "choice": "c", "points": 3}]"#
        let first = identifier.map { #""identifier": "\#($0)", "# } ?? ""
        let json = #"{\#(first)"title": "\#(title)", "takenAt": "\#(takenAt)", \#(answers)}"#
        return try #require(try QuizDocument.documents(Data(json.utf8)).first)
    }

    private static func identifiers(_ documents: [QuizDocument]) throws -> [UUID] {
        var identification = QuizIdentification()
        return try documents.map { document in
            let identifier = try #require(try identification.identified(document).identifier)
            return try #require(UUID(uuidString: identifier))
        }
    }

    @Test("The same file gets the same identifiers again, and equal quizzes in it get different ones")
    func repeated() throws {
        let file = try ["a", "b", "a", "a"].map { try Self.document($0) }
        let first = try Self.identifiers(file)
        let again = try Self.identifiers(file)
        #expect(again == first)
        #expect(Set(first).count == 4)
        // The identifier of a quiz depends neither on other content nor on its place among it.
        let reversed = try Self.identifiers(Array(file.prefix(2).reversed()))
        #expect(reversed == [first[1], first[0]])
    }

    @Test("A document keeps its own identifier, which takes no place among equal ones")
    func given() throws {
        let own = UUID()
        let file = [try Self.document("a", identifier: own.uuidString), try Self.document("a")]
        let identifiers = try Self.identifiers(file)
        #expect(identifiers.first == own)
        let alone = try Self.identifiers([try Self.document("a")])
        #expect(identifiers.last == alone.first)
    }

    @Test("A document whose time cannot be read gets no identifier")
    func unreadableTime() throws {
        let document = try Self.document("a", takenAt: "yesterday")
        var identification = QuizIdentification()
        let same = try identification.identified(document)
        #expect(same == document)
    }

    @Test(
        "An identifier begins with the time in milliseconds, from 1970 on, and is of version 8",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01Z", 1_000), ("1969-12-31T23:59:59Z", 0),
            ("2025-11-20T12:00:00Z", 1_763_640_000_000),
        ])
    func time(_ takenAt: String, _ milliseconds: Int) throws {
        let identifier = try #require(try Self.identifiers([try Self.document("a", takenAt: takenAt)]).first)
        let text = identifier.uuidString.replacing("-", with: "")
        #expect(Int(text.prefix(12), radix: 16) == milliseconds)
        #expect(identifier.uuid.6 >> 4 == 8)
        #expect(identifier.uuid.8 >> 6 == 0b10)
    }
}
