import Configuration
import ControlSocket
import Dispatch
import EventLog
import Foundation
import QuizSync
import RecordStorage
import RecordSync
import TestSupport
import Testing

@testable import Services

@Suite("Imports of several requests")
struct ImportQueueTests {
    private let scratch: Scratch
    private let quizzes: SQLiteRecordStore
    private let methods: RecordMethods
    private let form = RecordForm(application: .quizzes)
    private let answers = Collector<String>()

    init() throws {
        scratch = try Scratch()
        quizzes = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("quizzes.sqlite"))
        methods = RecordMethods(of: .quizzes, store: quizzes, maintenance: quizzes, logger: .silent)
    }

    private func record(_ title: String) throws -> Record {
        let quiz = QuizData(
            identifier: UUID(), title: title, takenAt: Date(timeIntervalSince1970: 1_795_000_000), answers: [])
        return try RecordApplication.quizzes.record(quiz, device: UUID())
    }

    /// A row of an export.
    private func row(_ title: String) throws -> String {
        """
        {"identifier": "\(UUID().uuidString)", "device": "\(UUID().uuidString)", "receivedAt": "2026-11-20T18:30:00.250Z",
         "title": "\(title)", "takenAt": "2026-11-20T18:30:00Z",
         "answers": [{"question": "q", "choice": "c", "points": 3}]}
        """
    }

    private func begin(_ rows: [String], of name: String?) {
        var params: [String: JSONValue] = ["quizzes": RowText.value(RowText.text(of: rows.map { Data($0.utf8) }))]
        params[RecordMethods.importName] = name.map { .string($0) }
        methods.beginImport(.object(params)) { [answers] result in
            switch result {
            case .success(let value): answers.add("\(value["stored"]?.integer ?? -1) stored")
            case .failure(let error): answers.add(error.message)
            }
        }
    }

    @Test("Requests are answered and stored in their order")
    func order() throws {
        let titles = (0..<40).map { "Quiz \($0)" }
        for title in titles { begin([try row(title)], of: "one") }
        answers.expect { $0 == titles.map { _ in "1 stored" } }
        let stored = try quizzes.records(after: .start, limit: 100).map(\.record.values.first)
        #expect(stored == titles.map { .text($0) })
    }

    @Test("After a request that fails, none of its import is stored, and those of others are")
    func failed() throws {
        begin([try row("first")], of: "one")
        begin([try row("second"), "{}"], of: "one")
        begin([try row("third")], of: "one")
        begin([try row("fourth")], of: "two")
        begin([try row("fifth")], of: nil)
        answers.expect { $0.count == 5 }
        let (all, refusal) = (answers.all, "a request before it in the same import failed")
        #expect(all[0] == "1 stored")
        #expect(all[1] != "2 stored" && all[1] != refusal, "\(all)")
        #expect(all[2...] == [refusal, "1 stored", "1 stored"], "\(all)")
        let stored = try quizzes.records(after: .start, limit: 100).map(\.record.values.first)
        #expect(stored == [.text("first"), .text("fourth"), .text("fifth")])
    }

    @Test("A request without a name that fails is alone in that")
    func unnamed() throws {
        begin(["{}"], of: nil)
        begin([try row("second")], of: nil)
        answers.expect { $0.count == 2 }
        #expect(answers.all.last == "1 stored")
    }

    @Test("What waits while others are stored is stored together, up to a limit; a larger request alone")
    func together() throws {
        let queue = ImportQueue()
        let gate = DispatchSemaphore(value: 0)
        let stored = Collector<[Int]>()
        let arrival = RecordArrival(try record("a"), receivedAt: Date())
        func add(_ count: Int) {
            let part = ImportQueue.Part(
                name: nil, arrivals: .success(Array(repeating: arrival, count: count)), files: nil, respond: { _ in })
            queue.add(part) { parts in
                stored.add(parts.map(\.records))
                if stored.all.count == 1 { gate.wait() }
            }
        }
        add(1)
        stored.expect { $0 == [[1]] }
        let most = ImportQueue.records
        for count in [2, 3, most - 5, 1, most, most + 1, 4, 5] { add(count) }
        gate.signal()
        stored.expect { $0 == [[1], [2, 3, most - 5], [1], [most], [most + 1], [4, 5]] }
    }
}
