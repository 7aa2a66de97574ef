import Configuration
import Foundation
import QuizSync
import Services

/// A file with one quiz or an array of quizzes.
enum QuizFile {
    /// Reads all quizzes of a file.
    ///
    /// - Parameter onRead: Called with the number read so far, after each quiz.
    /// - Throws: A ``CommandError`` that names the file and the wrong field.
    static func documents(in name: String, onRead: (Int) -> Void = { _ in }) throws -> [QuizDocument] {
        var documents: [QuizDocument] = []
        try read(name) {
            documents.append($0)
            onRead(documents.count)
        }
        return documents
    }

    /// Reads all quizzes of a file and gives each an identifier.
    static func identified(in name: String, onRead: (Int) -> Void) throws -> [QuizDocument] {
        var identification = QuizIdentification()
        var documents: [QuizDocument] = []
        try read(name) {
            documents.append(try identification.identified($0))
            onRead(documents.count)
        }
        return documents
    }

    /// Returns the document as a request carries it.
    static func value(of document: QuizDocument) throws -> JSONValue {
        try JSONValue(json: try JSONEncoder().encode(document))
    }

    private static func read(_ name: String, _ body: (QuizDocument) throws -> Void) throws {
        let json = try InputFile.read(name)
        do {
            let first = json.first { !Character(Unicode.Scalar($0)).isWhitespace }
            guard first == UInt8(ascii: "[") else { return try QuizDocument.documents(json).forEach(body) }
            // Element by element, so that the progress can be shown.
            var splitter = JSONArraySplitter()
            var count = 0
            try splitter.append(json) { element in
                try body(try QuizDocument(element: element, at: count))
                count += 1
            }
            try splitter.finish()
        } catch {
            throw CommandError("\(name): \(error)")
        }
    }
}
