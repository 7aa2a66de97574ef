import EventLog
import Foundation
import Services
import TestSupport
import Testing

@Suite("The catalogue of the log")
struct LogCatalogueTests {
    /// The first words of all calls of an initializer in the project's sources.
    private static func declared(_ pattern: Regex<(Substring, Substring)>) throws -> [String] {
        try ProjectFiles.all(below: "Sources", suffix: ".swift").flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: pattern).map { String($0.1) }
        }
    }

    @Test("The catalogue names every event that some module declares, once")
    func events() throws {
        // An application's events are made from the names of its kind.
        let declared = try Self.declared(/= (?:LogEvent|event)\(\s*"([^"]*)"/).map {
            $0.replacing("\\(name)", with: "quiz").replacing("\\(plural)", with: "quizzes")
        }
        // Quizzes have no files.
        .filter { !$0.hasPrefix("quiz file ") }
        #expect(declared.count > 90)
        #expect(LogCatalogue.events.map(\.text).sorted() == declared.sorted())
    }

    @Test("The catalogue names every subsystem that some module declares, once")
    func subsystems() throws {
        let declared = try Self.declared(/= LogSubsystem\("([^"]*)"/)
        #expect(LogCatalogue.subsystems.map(\.name).sorted() == declared.sorted())
        let used = Set(LogCatalogue.events.map(\.subsystem))
        #expect(used == Set(LogCatalogue.subsystems))
    }

    @Test("Each event has its own text, in small letters, and its own meaning, which ends like a sentence")
    func texts() {
        let events = LogCatalogue.events
        #expect(Set(events.map(\.text)).count == events.count)
        #expect(Set(events.map(\.meaning)).count == events.count)
        for event in events {
            #expect(event.text.allSatisfy { $0.isLowercase || $0 == " " }, "\(event)")
            #expect(event.meaning.hasSuffix("."), "\(event)")
        }
    }
}
