import Configuration
import ControlSocket
import EventLog
import Foundation
import QuizSync
import RecordStorage
import RecordSync
import TestSupport
import Testing

@testable import Services

/// A payload whose document is made by its own type, which is coded through values.
private struct Song: RecordPayload, Codable, Equatable {
    static let name = "song"
    static let columns: [PayloadColumn<Song>] = [.text("title") { $0.title }]

    let identifier: UUID
    var title: String
    var verses = ["a/b", "c"]
}

@Suite("Records as text")
struct RowTextTests {
    private let scratch: Scratch
    private let quizzes: SQLiteRecordStore
    private let methods: RecordMethods
    private let form = RecordForm(application: .quizzes)
    private let device = UUID()
    private static let wanted: [String: JSONValue] = [RowText.parameter.name: RowText.parameter.value, "cursor": ""]

    init() throws {
        scratch = try Scratch()
        quizzes = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("quizzes.sqlite"))
        methods = Self.methods(.quizzes, quizzes)
    }

    private static func methods(_ application: RecordApplication, _ store: SQLiteRecordStore) -> RecordMethods {
        RecordMethods(of: application, store: store, maintenance: store, logger: .silent)
    }

    private func quiz(_ title: String, answers: Int = 2, choice: String = "3 / 4") -> QuizData {
        let answers = (0..<answers).map { QuizAnswer(question: "Q\($0) “?”", choice: "\(choice) \($0)", points: 0.5) }
        return QuizData(
            identifier: UUID(), title: title, takenAt: Date(timeIntervalSince1970: 1_795_000_000.25), answers: answers)
    }

    private func insert(_ quizzes: QuizData..., values: [RecordValue]? = nil) throws {
        for quiz in quizzes {
            let record = try RecordApplication.quizzes.record(quiz, device: device)
            let changed = Record(key: record.key, values: values ?? record.values, archive: record.archive)
            _ = try self.quizzes.insert([changed], receivedAt: Date(timeIntervalSince1970: 1_795_000_001))
        }
    }

    private func call(_ method: String, _ params: JSONValue, of methods: RecordMethods? = nil) throws -> JSONValue {
        try #require((methods ?? self.methods).answer(method, params)).get()
    }

    /// Expects the text of a page to be what a client makes of its values.
    private func expectText(_ method: String, _ plural: String, of methods: RecordMethods, rows: Int) throws {
        let values = try #require(try call(method, ["cursor": ""], of: methods)[plural]?.array)
        let page = try call(method, .object(Self.wanted), of: methods)
        let text = try #require(page[plural].flatMap(RowText.text))
        let lines = String(decoding: RowText.lines(text), as: UTF8.self)
        #expect(
            JSONValue.withoutUnseen(lines).split(separator: ",\n").map(String.init)
                == (try values.map { try $0.text() }))
        #expect(values.count == rows)
        #expect(page[RowText.count] == .integer(Int64(rows)))
    }

    @Test("A page as text has the bytes that a client would make of its values", arguments: ["list", "export"])
    func sameAsValues(_ verb: String) throws {
        try insert(quiz("plain"), quiz("a/b “é” \u{202E}\u{7F}\u{1B}[1m\n\u{1F9C3}"), quiz("whole", answers: 1))
        // Another program changed a column, and another one an archive.
        let other = RecordApplication.quizzes.kind.columns.map { column -> RecordValue in
            switch column.type {
            case .text: .text("changed")
            case .integer: .integer(-7)
            case .real: .real(2)
            case .date: .date(Date(timeIntervalSince1970: 0))
            }
        }
        try insert(quiz("former"), values: other)
        let broken = Record(key: RecordKey(UUID(), device: device), values: other, archive: Data([1, 2]))
        _ = try quizzes.insert([broken], receivedAt: Date(timeIntervalSince1970: 1_795_000_002))
        try expectText("quizzes.\(verb)", "quizzes", of: methods, rows: 5)

        let songs = try RecordApplication(Song.self)
        let store = try SQLiteRecordStore(kind: songs.kind, path: scratch.path("songs.sqlite"))
        let records = try ["x", "/ü"].map { try songs.record(Song(identifier: UUID(), title: $0), device: device) }
        _ = try store.insert(records, receivedAt: Date(timeIntervalSince1970: 5))
        try expectText("songs.\(verb)", "songs", of: Self.methods(songs, store), rows: 2)
    }

    @Test("An empty page has the text of an empty array, and no lines")
    func empty() throws {
        let page = try call("quizzes.list", .object(Self.wanted))
        let text = try #require(page["quizzes"].flatMap(RowText.text))
        #expect(String(decoding: text, as: UTF8.self) == "[]")
        #expect(RowText.lines(text).isEmpty)
        #expect(page["next"] == .null)
    }

    @Test("A record that changes or goes between two pages is read as it is then, and no other is missed")
    func changedBetweenPages() throws {
        let all = ["a", "b", "c", "d", "e"].map { quiz($0) }
        for quiz in all { try insert(quiz) }
        func page(after cursor: JSONValue) throws -> (titles: [String?], next: JSONValue?) {
            let params = Self.wanted.merging(["cursor": cursor, "limit": 2]) { $1 }
            let page = try call("quizzes.export", .object(params))
            let text = try #require(page["quizzes"].flatMap(RowText.text))
            return (try JSONDecoder().decode([JSONValue].self, from: text).map { $0["title"]?.string }, page["next"])
        }
        let first = try page(after: "")
        // The last record of the page, from which the next one goes on, is deleted as well.
        for place in [1, 2] {
            _ = try quizzes.delete(RecordKey(all[place].identifier, device: device), deletedAt: Date())
        }
        let changed = quiz("D")
        _ = try quizzes.update(
            Record(
                key: RecordKey(all[3].identifier, device: device),
                values: RecordApplication.quizzes.record(changed, device: device).values,
                archive: changed.archived()), updatedAt: Date())
        let second = try page(after: try #require(first.next))
        #expect(first.titles == ["a", "b"])
        #expect(second.titles == ["D", "e"])
    }

    @Test("A page ends behind a huge record, and the next one goes on there")
    func hugeRecord() throws {
        // Twenty of sixty thousand bytes are more than a page has.
        for number in 0..<20 { try insert(quiz("\(number)", answers: 200, choice: String(repeating: "x", count: 250))) }
        var (titles, sizes): ([String?], [Int]) = ([], [])
        var cursor: JSONValue = ""
        while true {
            let page = try call("quizzes.export", .object(Self.wanted.merging(["cursor": cursor]) { $1 }))
            let text = try #require(page["quizzes"].flatMap(RowText.text))
            titles += try JSONDecoder().decode([JSONValue].self, from: text).map { $0["title"]?.string }
            guard let next = page["next"], next != .null else { break }
            sizes.append(text.count)
            cursor = next
        }
        #expect(titles == (0..<20).map { "\($0)" })
        #expect(sizes.count > 1, "\(sizes)")
    }

    // MARK: - Import

    private func importing(_ rows: [String]) throws -> JSONValue {
        try call("quizzes.import", ["quizzes": RowText.value(RowText.text(of: rows.map { Data($0.utf8) }))])
    }

    private func refusal(_ rows: [String]) -> String? {
        let error = #expect(throws: ControlError.self) { try importing(rows) }
        return error?.message
    }

    private func row(_ changes: [String: JSONValue] = [:]) throws -> String {
        var fields: [String: JSONValue] = [
            "device": .string(device.uuidString), "receivedAt": "2026-11-20T18:30:00.250Z", "sequence": 9,
            "answerCount": 1, "updatedAt": .null, "identifier": .string(UUID().uuidString), "title": "T",
            "takenAt": "2026-11-20T18:30:00Z",
            "answers": .array([["question": "q", "choice": "c", "points": 1]]),
        ]
        // Null for none.
        for (name, value) in changes { fields[name] = value == .null ? nil : value }
        return try JSONValue.object(fields).text(pretty: true)
    }

    @Test("A bad row in the middle is named, and nothing of its request is stored")
    func badRow() throws {
        let device = "device: must be a UUID; only the output of “quizzes export” can be imported"
        let time = "receivedAt: must be a time like 2026-11-20T18:30:00Z"
        let allowed = "identifier, title, takenAt, answers, gradePointAverage"
        let answer: JSONValue = ["question": "q", "choice": "c", "points": 1, "grade": 2]
        let cases: [([String: JSONValue], String)] = [
            (["device": .null], device), (["device": 5, "title": 5], device), (["receivedAt": "soon"], time),
            (["receivedAt": .null, "title": .null], time), (["title": .null], "title: is missing"),
            (["title": 5], "title: is not a string"), (["colour": "red"], "colour: is unknown; allowed: \(allowed)"),
            (
                ["answers": .array([answer])],
                "answers[0].grade: is unknown; allowed: question, choice, points"
            ), (["takenAt": "soon"], "takenAt: is not a time such as 2026-11-20T18:30:00Z"),
        ]
        for (changes, reason) in cases {
            let refused = refusal([try row(), try row(changes), try row()])
            #expect(refused == reason)
        }
        #expect(refusal([try row(), "5"]) == "not a quiz: an entry must be an object { … }")
        #expect(refusal([try row(), "{\"device\": nonsense}"]) == "not a quiz: an entry is not JSON")
        let count = try quizzes.count()
        #expect(count == 0)
    }

    @Test("A record is stored the same, whether its row is as an export writes it or spelt in another way")
    func spellings() throws {
        let answers = [("a/b", "\"c\"\n", 3), ("é漢", "\\", 0.1), ("👩‍👩‍👧", "1", 10.0 / 3)]
            .map { QuizAnswer(question: $0.0, choice: $0.1, points: $0.2) }
        let quiz = QuizData(
            identifier: UUID(), title: "“T” \u{FF1F}", takenAt: Date(timeIntervalSinceReferenceDate: 816_692_800.123),
            answers: answers)
        try insert(quiz)
        let exported = try #require(try call("quizzes.export", ["cursor": ""])["quizzes"]?.array?.first)
        let plain = try exported.text()
        let others = form.otherFields
        let read = ImportedRecord(plain: Data(plain.utf8), of: QuizData.self, beside: others)
        #expect(read != nil, "an export's row is read without a decoder")
        // Escapes of codes and equal keys are for a decoder.
        let escaped = plain.replacing("“T” \u{FF1F}", with: "\\u201cT\\u201d \\uFF1F")
        let spellings = [
            plain, try exported.text(pretty: true), escaped,
            "{\"title\":\"“T” \u{FF1F}\"," + plain.dropFirst(),
        ]
        for (place, spelling) in spellings.enumerated() {
            let other = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("\(place).sqlite"))
            let rows = RowText.value(RowText.text(of: [Data(spelling.utf8)]))
            let answer = try call("quizzes.import", ["quizzes": rows], of: Self.methods(.quizzes, other))
            #expect(answer == ["stored": 1, "present": 0])
            let (before, after) = (try quizzes.latestRecords(limit: 1), try other.latestRecords(limit: 1))
            #expect(after == before)
        }
        #expect(ImportedRecord(plain: Data(escaped.utf8), of: QuizData.self, beside: others) == nil)
    }

    @Test("A request's text has the limits of a request, and must be an array")
    func limits() throws {
        let deep = String(repeating: "[", count: 6) + String(repeating: "]", count: 6)
        #expect(refusal([deep])?.contains("levels") == true)
        let many = "[" + String(repeating: "1,", count: 250_000) + "1]"
        #expect(refusal([many])?.contains("keys and values") == true)
        for text in ["{}", "[1", ""] {
            let error = #expect(throws: ControlError.self) {
                try call("quizzes.import", ["quizzes": RowText.value(Data(text.utf8))])
            }
            #expect(error?.code == ControlError.invalidParams, "\(text)")
        }
        let error = #expect(throws: ControlError.self) { try call("quizzes.import", ["quizzes": "no base64!"]) }
        #expect(error?.message == "“quizzes” must be a list")
    }

    @Test("What was exported as text is imported with its devices, times and content, and exported with the same bytes")
    func roundTrip() throws {
        for title in ["a/b “é” \u{202E}\n", "plain"] { try insert(quiz(title)) }
        let text = try #require(try call("quizzes.export", .object(Self.wanted))["quizzes"])
        let present = try call("quizzes.import", ["quizzes": text])
        #expect(present == ["stored": 0, "present": 2])
        let other = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("other.sqlite"))
        let elsewhere = Self.methods(.quizzes, other)
        let stored = try call("quizzes.import", ["quizzes": text], of: elsewhere)
        #expect(stored == ["stored": 2, "present": 0])
        let again = try call("quizzes.export", .object(Self.wanted), of: elsewhere)["quizzes"]
        #expect(again == text)
    }
}
