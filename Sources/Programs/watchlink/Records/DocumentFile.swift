import Configuration
import Foundation
import Services

/// A file with one document of an application or an array of them, as JSON.
enum DocumentFile {
    /// Reads all documents of a file.
    ///
    /// - Parameter onRead: Called with the number read so far, after each.
    static func documents(in name: String, onRead: (Int) -> Void = { _ in }) throws(CommandError) -> [JSONValue] {
        let json = try InputFile.read(name)
        var documents: [JSONValue] = []
        do {
            func add(_ element: Data) throws {
                documents.append(try JSONDecoder().decode(JSONValue.self, from: element))
                onRead(documents.count)
            }
            let first = json.first { !Character(Unicode.Scalar($0)).isWhitespace }
            guard first == UInt8(ascii: "[") else {
                try add(json)
                return documents
            }
            var splitter = JSONArraySplitter()
            try splitter.append(json, add)
            try splitter.finish()
            return documents
        } catch let error as JSONArraySplitter.Malformed {
            throw CommandError("\(name): \(error)")
        } catch {
            throw CommandError("\(name): document \(documents.count + 1) is not JSON")
        }
    }
}
