import Foundation
import QuizSync
import WatchLinkServices

/// Quizzes in a file that the user named: one, or an array of them.
enum QuizFile {
    /// - Parameter onRead: Called with how many were read, after each.
    /// - Throws: ``CommandError`` that names the file, and the field at fault.
    static func documents(in name: String, onRead: (Int) -> Void = { _ in }) throws -> [QuizDocument] {
        var documents: [QuizDocument] = []
        try read(name) {
            documents.append($0)
            onRead(documents.count)
        }
        return documents
    }

    /// The same, each with an identifier.
    static func identified(in name: String, onRead: (Int) -> Void) throws -> [QuizDocument] {
        var identification = QuizIdentification()
        var documents: [QuizDocument] = []
        try read(name) {
            documents.append(try identification.identified($0))
            onRead(documents.count)
        }
        return documents
    }

    private static func read(_ name: String, _ body: (QuizDocument) throws -> Void) throws {
        let json = try InputFile.read(name)
        do {
            let first = json.first { !Character(Unicode.Scalar($0)).isWhitespace }
            guard first == UInt8(ascii: "[") else { return try QuizDocument.documents(json).forEach(body) }
            // One after the other: whoever waits sees how many there are already.
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
