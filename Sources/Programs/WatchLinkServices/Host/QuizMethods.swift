public import Configuration
public import ControlSocket
public import EventLog
import Foundation
import QuizSync
public import RecordStorage

/// The control methods of a host's quizzes. The host answers them, or the command line does while the host is not
/// running.
public final class QuizMethods: Sendable {
    /// The most quizzes in one answer. 500: half a megabyte of quizzes of the usual size.
    public static let pageSize = 500

    let store: any RecordStore
    let maintenance: any EmbeddedStore
    let logger: Logger

    /// The most problems that a verification lists. 1,000: more add nothing.
    static let shownProblems = 1_000

    let tasks = MaintenanceQueue()
    let isAlone: Bool

    /// Creates the methods.
    ///
    /// - Parameter isAlone: True if nothing else uses the store, as when the host is not running.
    public init(
        store: any RecordStore, maintenance: any EmbeddedStore, logger: Logger, isAlone: Bool = false
    ) {
        self.isAlone = isAlone
        self.store = store
        self.maintenance = maintenance
        self.logger = logger
    }

    /// Answers a request; an unknown method is an error.
    public func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        switch method {
        case "quizzes.backup", "quizzes.verify", "quizzes.vacuum": return maintain(method, params)
        case "quizzes.task": return tasks.look(params)
        default: break
        }
        return answering { () throws in
            switch method {
            case "quizzes.count": .integer(Int64(try store.count()))
            case "quizzes.list": try page(params, Self.summary)
            case "quizzes.export": try page(params, Self.whole)
            case "quizzes.show": try show(params)
            case "quizzes.delete": try delete(params)
            case "quizzes.update": try update(params)
            case "quizzes.import": try importAll(params)
            default: throw ControlError.unknown(method: method)
            }
        }
    }

    /// Converts errors to answers for the client.
    func answering(_ body: () throws -> JSONValue) -> Result<JSONValue, ControlError> {
        do {
            return .success(try body())
        } catch let error as ControlError {
            return .failure(error)
        } catch let error as QuizError {
            return .failure(ControlError(ControlError.refused, "\(error)"))
        } catch {
            return .failure(ControlError(ControlError.unavailable, "\(error)"))
        }
    }

    private func show(_ params: JSONValue) throws -> JSONValue {
        let quiz = try one(params)
        return Self.marked(Self.wholeFields(quiz), quiz)
    }

    private func page(_ params: JSONValue, _ form: (StoredRecord) -> JSONValue) throws -> JSONValue {
        let limit = min(Int(params["limit"]?.integer ?? Int64(Self.pageSize)), Self.pageSize)
        return .array(try store.records(after: Self.cursor(params), limit: max(1, limit)).map(form))
    }

    private static func cursor(_ params: JSONValue) -> RecordCursor {
        params["after"]?.integer.map { RecordCursor(rawValue: "\($0)") } ?? .start
    }

    private func delete(_ params: JSONValue) throws -> JSONValue {
        let quiz = try one(params)
        guard try store.delete(quiz.record.key, deletedAt: Date()) else {
            throw Self.missing(quiz.record.key.identifier)
        }
        logger.log(.quizDeleted, [.package(quiz.record.key.identifier), .device(quiz.record.key.device)])
        return Self.summary(quiz)
    }

    private func update(_ params: JSONValue) throws -> JSONValue {
        let quiz = try one(params)
        let changed = try Self.document(params["quiz"] ?? .null).quiz()
        guard params["quiz"]?["identifier"] == nil || changed.identifier == quiz.record.key.identifier else {
            throw QuizError.invalid(field: "identifier", reason: "is another quiz's; leave it out or give this quiz's")
        }
        let content = QuizData(
            identifier: quiz.record.key.identifier, title: changed.title, takenAt: changed.takenAt,
            answers: changed.answers,
            gradePointAverage: changed.gradePointAverage)
        guard try store.update(Record(content, device: quiz.record.key.device), updatedAt: Date()) else {
            throw Self.missing(quiz.record.key.identifier)
        }
        logger.log(.quizUpdated, [.package(quiz.record.key.identifier), .device(quiz.record.key.device)])
        return Self.whole(try one(params))
    }

    /// Returns the quiz that a request names, by identifier and, if several devices used that identifier, by device.
    private func one(_ params: JSONValue) throws -> StoredRecord {
        guard let text = params["identifier"]?.string, let identifier = UUID(uuidString: text) else {
            throw ControlError(
                ControlError.invalidParams, "“identifier” must be a UUID like 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60")
        }
        var found = try store.records(identifier: identifier)
        if let device = params["device"]?.string {
            found.removeAll { $0.record.key.device.uuidString != device.uppercased() }
        }
        guard let first = found.first else { throw Self.missing(identifier) }
        guard found.count == 1 else {
            let devices = found.map(\.record.key.device.uuidString).joined(separator: ", ")
            throw ControlError(
                ControlError.invalidParams,
                "several devices sent a quiz with this identifier; name one with “device”: \(devices)")
        }
        return first
    }

    private static func missing(_ identifier: UUID) -> ControlError {
        ControlError(ControlError.notFound, "quiz \(identifier) does not exist; “watchlink quizzes list” shows all")
    }

    /// Parses a quiz from JSON.
    static func document(_ value: JSONValue) throws -> QuizDocument {
        guard let document = try QuizDocument.documents(Data(try value.text().utf8)).first else {
            throw QuizError.undecodable("the quiz is missing")
        }
        return document
    }

    // MARK: - Forms

    private static func summary(_ quiz: StoredRecord) -> JSONValue { marked(columns(quiz), quiz) }

    /// Adds the host's judgement of the quiz, which an export does not contain.
    private static func marked(_ fields: [String: JSONValue], _ quiz: StoredRecord) -> JSONValue {
        var fields = fields
        fields["isAheadOfClock"] = .boolean(
            QuizRow(quiz.record).map { QuizData.isAhead($0.takenAt, of: quiz.receivedAt) } ?? false)
        return .object(fields)
    }

    private static func columns(_ quiz: StoredRecord) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "sequence": .integer(quiz.sequence),
            "identifier": .string(quiz.record.key.identifier.uuidString),
            "device": .string(quiz.record.key.device.uuidString),
            "receivedAt": .string(QuizDocument.text(quiz.receivedAt)),
            "updatedAt": quiz.updatedAt.map { .string(QuizDocument.text($0)) } ?? .null,
        ]
        if let row = QuizRow(quiz.record) {
            fields["title"] = .string(row.title)
            fields["takenAt"] = .string(QuizDocument.text(row.takenAt))
            fields["answerCount"] = .integer(Int64(row.answerCount))
            fields["gradePointAverage"] = .number(row.gradePointAverage)
        }
        return fields
    }

    /// Returns a quiz with its answers, which only the archive contains.
    private static func whole(_ quiz: StoredRecord) -> JSONValue { .object(wholeFields(quiz)) }

    private static func wholeFields(_ quiz: StoredRecord) -> [String: JSONValue] {
        var fields = columns(quiz)
        do {
            let answers = try EncodedData(quiz.record.archive).quizData.answers
            fields["answers"] = .array(
                answers.map { answer in
                    .object([
                        "question": .string(answer.question), "choice": .string(answer.choice),
                        "points": .number(answer.points),
                    ])
                })
        } catch {
            // Another program wrote the row: show its columns.
            fields["archiveError"] = .string("\(error)")
        }
        return fields
    }
}
