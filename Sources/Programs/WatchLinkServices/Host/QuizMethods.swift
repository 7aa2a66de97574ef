public import Configuration
public import ControlSocket
public import EventLog
import Foundation
public import QuizStorage
import QuizSync

/// The requests about a host's quizzes: the same whether the host answers them or, while it does not run, the command line.
public final class QuizMethods: Sendable {
    /// Most quizzes in one answer. 500: half a megabyte of quizzes of the usual size.
    public static let pageSize = 500

    let store: any QuizStore
    let maintenance: any QuizStoreMaintenance
    let logger: Logger

    /// Problems that a verification names. 1,000: more say nothing new.
    static let shownProblems = 1_000

    let desk = MaintenanceDesk()
    let isAlone: Bool

    /// - Parameter isAlone: Whether nobody else waits for the store, as beside a host that does not run.
    public init(
        store: any QuizStore, maintenance: any QuizStoreMaintenance, logger: Logger, isAlone: Bool = false
    ) {
        self.isAlone = isAlone
        self.store = store
        self.maintenance = maintenance
        self.logger = logger
    }

    public func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        switch method {
        case "quizzes.backup", "quizzes.verify", "quizzes.vacuum": return maintain(method, params)
        case "quizzes.task": return desk.look(params)
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

    /// What an error means to the one who asked.
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

    private func page(_ params: JSONValue, _ form: (StoredQuiz) -> JSONValue) throws -> JSONValue {
        let limit = min(Int(params["limit"]?.integer ?? Int64(Self.pageSize)), Self.pageSize)
        return .array(try store.quizzes(after: params["after"]?.integer ?? 0, limit: max(1, limit)).map(form))
    }

    private func delete(_ params: JSONValue) throws -> JSONValue {
        let quiz = try one(params)
        guard try store.delete(quiz.content.identifier, device: quiz.content.device, deletedAt: Date()) else {
            throw Self.missing(quiz.content.identifier)
        }
        logger.log(.quizDeleted, [.package(quiz.content.identifier), .device(quiz.content.device)])
        return Self.summary(quiz)
    }

    private func update(_ params: JSONValue) throws -> JSONValue {
        let quiz = try one(params)
        let changed = try Self.document(params["quiz"] ?? .null).quiz()
        guard params["quiz"]?["identifier"] == nil || changed.identifier == quiz.content.identifier else {
            throw QuizError.invalid(field: "identifier", reason: "is another quiz's; leave it out or name this one's")
        }
        let content = QuizData(
            identifier: quiz.content.identifier, title: changed.title, takenAt: changed.takenAt,
            answers: changed.answers,
            gradePointAverage: changed.gradePointAverage)
        guard try store.update(NewQuiz(content, device: quiz.content.device), updatedAt: Date()) else {
            throw Self.missing(quiz.content.identifier)
        }
        logger.log(.quizUpdated, [.package(quiz.content.identifier), .device(quiz.content.device)])
        return Self.whole(try one(params))
    }

    /// The one quiz that a request names, by identifier and, if several devices used that, by device.
    private func one(_ params: JSONValue) throws -> StoredQuiz {
        guard let text = params["identifier"]?.string, let identifier = UUID(uuidString: text) else {
            throw ControlError(
                ControlError.invalidParams, "the identifier is no UUID like 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60")
        }
        var found = try store.quizzes(identifier: identifier)
        if let device = params["device"]?.string {
            found.removeAll { $0.content.device.uuidString != device.uppercased() }
        }
        guard let first = found.first else { throw Self.missing(identifier) }
        guard found.count == 1 else {
            let devices = found.map(\.content.device.uuidString).joined(separator: ", ")
            throw ControlError(
                ControlError.invalidParams, "several devices took a quiz of this identifier; name one of \(devices)")
        }
        return first
    }

    private static func missing(_ identifier: UUID) -> ControlError {
        ControlError(ControlError.notFound, "there is no quiz \(identifier); “watchlink quizzes list” shows all")
    }

    /// A quiz as JSON says it.
    static func document(_ value: JSONValue) throws -> QuizDocument {
        guard let document = try QuizDocument.documents(Data(try value.text().utf8)).first else {
            throw QuizError.undecodable("there is none")
        }
        return document
    }

    // MARK: - Forms

    private static func summary(_ quiz: StoredQuiz) -> JSONValue { marked(columns(quiz), quiz) }

    /// With what the host thinks of it, which is no part of an export.
    private static func marked(_ fields: [String: JSONValue], _ quiz: StoredQuiz) -> JSONValue {
        var fields = fields
        fields["isAheadOfClock"] = .boolean(QuizData.isAhead(quiz.content.takenAt, of: quiz.receivedAt))
        return .object(fields)
    }

    private static func columns(_ quiz: StoredQuiz) -> [String: JSONValue] {
        [
            "sequence": .integer(quiz.sequence),
            "identifier": .string(quiz.content.identifier.uuidString),
            "device": .string(quiz.content.device.uuidString),
            "title": .string(quiz.content.title),
            "takenAt": .string(QuizDocument.text(quiz.content.takenAt)),
            "answerCount": .integer(Int64(quiz.content.answerCount)),
            "gradePointAverage": .number(quiz.content.gradePointAverage),
            "receivedAt": .string(QuizDocument.text(quiz.receivedAt)),
            "updatedAt": quiz.updatedAt.map { .string(QuizDocument.text($0)) } ?? .null,
        ]
    }

    /// With the answers, which only the archive holds.
    private static func whole(_ quiz: StoredQuiz) -> JSONValue { .object(wholeFields(quiz)) }

    private static func wholeFields(_ quiz: StoredQuiz) -> [String: JSONValue] {
        var fields = columns(quiz)
        do {
            let answers = try EncodedData(quiz.content.archive).quizData.answers
            fields["answers"] = .array(
                answers.map { answer in
                    .object([
                        "question": .string(answer.question), "choice": .string(answer.choice),
                        "points": .number(answer.points),
                    ])
                })
        } catch {
            // A row that another program wrote: shown with what its columns say.
            fields["archiveError"] = .string("\(error)")
        }
        return fields
    }
}
