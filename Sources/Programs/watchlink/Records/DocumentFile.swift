import Configuration
import Foundation
import RecordSync
import Services

/// A file with one document of an application or an array of them, as JSON.
enum DocumentFile {
    /// Reads all documents of a file, and gives each object without an identifier one that is derived from its content: the
    /// same file can be submitted again without harm.
    ///
    /// - Parameter file: The path of the file that belongs to the document: another one makes another identifier.
    static func identified(
        in name: String, with file: String? = nil, onRead: (Int) -> Void
    ) throws -> [JSONValue] {
        var identification = ContentIdentification()
        let digest = try file.map { PayloadFile(name: $0, content: try content(of: $0)).digest } ?? Data()
        return try documents(in: name, onRead: onRead).map { document in
            guard case .object(var fields) = document, fields[identifierField] == nil else { return document }
            let identifier = identification.identifier(of: Data(try document.text().utf8) + digest)
            fields[identifierField] = .string(identifier.uuidString)
            return .object(fields)
        }
    }

    /// Returns the absolute path of a file.
    static func path(_ name: String) -> String {
        URL(filePath: name).standardizedFileURL.path(percentEncoded: false)
    }

    private static func content(of file: String) throws(CommandError) -> Data {
        do {
            return try PayloadFile.content(of: URL(filePath: file))
        } catch {
            throw CommandError(
                "--file \(file) cannot be read: \((error as? PayloadError)?.description ?? error.localizedDescription)")
        }
    }

    private static let identifierField = "identifier"

    /// Reads all documents of a file.
    ///
    /// - Parameter onRead: Called with the number read so far, after each.
    static func documents(in name: String, onRead: (Int) -> Void = { _ in }) throws(CommandError) -> [JSONValue] {
        let json = try InputFile.read(name)
        var documents: [JSONValue] = []
        do {
            func add(_ element: Data) throws {
                documents.append(try JSONValue(json: element))
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
