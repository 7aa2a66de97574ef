package import Configuration
import Foundation
import LinkProtocol
import RecordSync

extension QuizData: DirectDocument {
    package static let documentKeys = QuizDocument.keys

    package func write(_ key: String, to writer: inout JSONWriter) throws {
        switch key {
        case "identifier": writer.string(identifier.text)
        case "title": writer.string(title)
        case "takenAt": writer.string(TimeText.text(takenAt))
        case "gradePointAverage": try writer.number(gradePointAverage)
        default: try writer.list { (list) throws in for answer in answers { try list.object(answer.write) } }
        }
    }

    package static func read(
        from reader: inout PlainJSONReader, beside other: (_ key: String, inout PlainJSONReader) -> Bool
    ) -> QuizData? {
        var (identifier, title, takenAt): (UUID?, String?, Date?)
        var (answers, average): ([QuizAnswer]?, Double?)
        let isRead = reader.object { key, reader in
            switch key {
            case "identifier": Self.fill(&identifier, reader.string().flatMap(UUID.init(text:)))
            case "title": Self.fill(&title, reader.string())
            case "takenAt": Self.fill(&takenAt, reader.string().flatMap(TimeText.date))
            case "answers": Self.fill(&answers, Self.answers(from: &reader))
            case "gradePointAverage": Self.fill(&average, reader.number())
            default: other(key, &reader)
            }
        }
        guard isRead, let identifier, let title, let takenAt, let answers else { return nil }
        return QuizData(
            identifier: identifier, title: title, takenAt: takenAt, answers: answers, gradePointAverage: average)
    }

    private static func answers(from reader: inout PlainJSONReader) -> [QuizAnswer]? {
        var answers: [QuizAnswer] = []
        let isRead = reader.list { reader in
            var (question, choice, points): (String?, String?, Double?)
            let isRead = reader.object { key, reader in
                switch key {
                case "question": Self.fill(&question, reader.string())
                case "choice": Self.fill(&choice, reader.string())
                case "points": Self.fill(&points, reader.number())
                default: false
                }
            }
            guard isRead, let question, let choice, let points else { return false }
            answers.append(QuizAnswer(question: question, choice: choice, points: points))
            return true
        }
        return isRead ? answers : nil
    }

    /// Keeps the value of a key; returns false if there is none, or if the key is there twice.
    private static func fill<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
        guard place == nil, let value else { return false }
        place = value
        return true
    }
}

extension QuizAnswer {
    /// Writes the fields of an answer's document, sorted.
    fileprivate func write(to writer: inout JSONWriter) throws {
        writer.key("choice")
        writer.string(choice)
        writer.key("points")
        try writer.number(points)
        writer.key("question")
        writer.string(question)
    }
}
