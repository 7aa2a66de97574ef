package import Configuration
import Foundation
package import ServiceRuntime

/// The services on trial and the payloads that they get: by default WatchLink's own services, and quizzes.
package struct TrialSubject: Sendable {
    package let programs: ServicePrograms
    /// The plural name of the payloads' application.
    package let application: String
    /// The file of the document that is submitted, each time with a new identifier; nil for a quiz.
    private let file: String?
    private let document: [String: JSONValue]

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
    ]

    /// The options that give another program this subject, without the services' programs.
    package var words: [String] { file.map { ["--application", application, "--document", $0] } ?? [] }

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
            self.init(programs: programs, application: Self.quizzes.application, file: nil, document: Self.quiz)
        case (let name?, let file?):
            let file = URL(filePath: file).path(percentEncoded: false)
            self.init(programs: programs, application: name, file: file, document: try Self.document(in: file))
        default:
            throw UsageError(
                "--application and --document belong together: name the application and a file with one of its payloads"
            )
        }
    }

    private init(programs: ServicePrograms, application: String, file: String?, document: [String: JSONValue]) {
        (self.programs, self.application, self.file, self.document) = (programs, application, file, document)
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

    /// Returns the parameters with which the companion is asked for the end of a payload.
    func question(after identifier: String) -> JSONValue {
        ["identifier": .string(identifier), "application": .string(application)]
    }
}
