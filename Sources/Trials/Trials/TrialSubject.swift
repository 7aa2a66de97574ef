package import Configuration
import Foundation
import Glibc
package import ServiceRuntime

/// The services on trial and the payloads that they get: by default WatchLink's own services, and quizzes.
package struct TrialSubject: Sendable {
    package let programs: ServicePrograms
    /// The plural name of the payloads' application.
    package let application: String
    /// The file of the document that is submitted, each time with a new identifier; nil for a quiz.
    private let file: String?
    private let document: [String: JSONValue]
    /// The file that belongs to each document; nil for none.
    private let attachment: String?
    /// The bytes of that file.
    private let content: Data

    /// A quiz as the companion accepts it, without an identifier.
    private static let quiz: [String: JSONValue] = [
        "title": "Trial", "takenAt": "2026-11-20T18:30:00Z",
        "answers": .array([["question": "How many?", "choice": "3 to 4", "points": 3]]),
    ]

    /// WatchLink's own services, and quizzes.
    package static let quizzes = TrialSubject(programs: .own, application: "quizzes", file: nil, document: quiz)

    package static let options = [
        OptionDefinition("host", placeholder: "PROGRAM", help: "the host of an application of your own"),
        OptionDefinition("companion", placeholder: "PROGRAM", help: "its companion"),
        OptionDefinition("application", placeholder: "NAME", help: "its plural name, such as steps; default quizzes"),
        OptionDefinition("document", placeholder: "FILE", help: "a JSON object to submit, each time as a new one"),
        OptionDefinition(
            "file", placeholder: "FILE", help: "a file to send with each document, each time with other bytes"),
    ]

    /// The options that give another program this subject, without the services' programs.
    package var words: [String] {
        (file.map { ["--application", application, "--document", $0] } ?? [])
            + (attachment.map { ["--file", $0] } ?? [])
    }

    /// True if each document has a file.
    var hasFile: Bool { attachment != nil }

    /// - Throws: A `UsageError` for options without the others they need, and for a file without an object.
    package init(_ options: ParsedOptions) throws(UsageError) {
        let programs: ServicePrograms
        switch (options["host"], options["companion"]) {
        case (nil, nil): programs = .own
        case (let host?, let companion?):
            programs = ServicePrograms(host: URL(filePath: host), companion: URL(filePath: companion))
        default: throw UsageError("--host and --companion belong together: name both programs of the application")
        }
        switch (options["application"], options["document"]) {
        case (nil, nil):
            guard options["file"] == nil else {
                throw UsageError("--file belongs to --application and --document: a quiz has no file")
            }
            self.init(programs: programs, application: Self.quizzes.application, file: nil, document: Self.quiz)
        case (let name?, let file?):
            let file = URL(filePath: file).path(percentEncoded: false)
            let attachment = options["file"].map { URL(filePath: $0).path(percentEncoded: false) }
            self.init(
                programs: programs, application: name, file: file, document: try Self.document(in: file),
                attachment: attachment, content: try attachment.map(Self.content) ?? Data())
        default:
            throw UsageError(
                "--application and --document belong together: name the application and a file with one of its payloads"
            )
        }
    }

    private init(
        programs: ServicePrograms, application: String, file: String?, document: [String: JSONValue],
        attachment: String? = nil, content: Data = Data()
    ) {
        (self.programs, self.application, self.file, self.document) = (programs, application, file, document)
        (self.attachment, self.content) = (attachment, content)
    }

    private static func content(of file: String) throws(UsageError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: file))
        } catch {
            throw UsageError("--file \(file): \((error as NSError).localizedDescription)")
        }
    }

    private static func document(in file: String) throws(UsageError) -> [String: JSONValue] {
        do {
            return try JSONDecoder().decode([String: JSONValue].self, from: Data(contentsOf: URL(filePath: file)))
        } catch {
            throw UsageError(
                "--document \(file): \((error as NSError).localizedDescription) Name a file with one JSON object")
        }
    }

    /// Returns so many documents, each with an identifier of its own.
    package func documents(_ count: Int) -> JSONValue {
        .array(
            (0..<count).map { _ in
                .object(document.merging(["identifier": .string(UUID().uuidString)]) { $1 })
            })
    }

    /// Calls back with the parameters of each request that submits so many documents. One with a file is submitted alone,
    /// with a file of its own that exists meanwhile: no two have the same bytes.
    ///
    /// - Parameter directory: The place of that file.
    func requests(_ count: Int, in directory: String, _ body: (JSONValue) throws -> Void) throws {
        guard hasFile else { return try body([application: documents(count)]) }
        for _ in 0..<count {
            let path = "\(directory)/attached-\(UUID().uuidString)"
            try (content + Data(UUID().uuidString.utf8)).write(to: URL(filePath: path))
            defer { unlink(path) }
            try body([application: documents(1), "file": .string(path)])
        }
    }

    /// Returns the parameters with which the companion is asked for the end of a payload.
    func question(after identifier: String) -> JSONValue {
        ["identifier": .string(identifier), "application": .string(application)]
    }
}
