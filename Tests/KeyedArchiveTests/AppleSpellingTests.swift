import Foundation
import KeyedArchive
import Testing

// Code written for Apple's archivers migrates with these two lines; the rest keeps Apple's spelling.
private typealias NSKeyedArchiver = KeyedArchiver
private typealias NSKeyedUnarchiver = KeyedUnarchiver

private final class QuizData: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let title: String
    let answers: [AnswerData]
    let takenAt: Date
    let score: Double

    init(title: String, answers: [AnswerData], takenAt: Date, score: Double) {
        self.title = title
        self.answers = answers
        self.takenAt = takenAt
        self.score = score
    }

    required init?(coder aDecoder: NSCoder) {
        guard let title = aDecoder.decodeObject(forKey: "title") as? String,
            let answers = aDecoder.decodeObject(forKey: "answers") as? [AnswerData],
            let takenAt = aDecoder.decodeObject(forKey: "takenAt") as? Date
        else { return nil }
        self.title = title
        self.answers = answers
        self.takenAt = takenAt
        self.score = aDecoder.decodeDouble(forKey: "score")
        super.init()
    }

    func encode(with aCoder: NSCoder) {
        aCoder.encode(title, forKey: "title")
        aCoder.encode(answers, forKey: "answers")
        aCoder.encode(takenAt, forKey: "takenAt")
        aCoder.encode(score, forKey: "score")
    }
}

private final class AnswerData: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let choice: Int

    init(choice: Int) { self.choice = choice }
    required init?(coder aDecoder: NSCoder) {
        choice = aDecoder.decodeInteger(forKey: "choice")
        super.init()
    }
    func encode(with aCoder: NSCoder) { aCoder.encode(choice, forKey: "choice") }
}

/// A class without a registered name.
private final class Stranger: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() { super.init() }
    required init?(coder aDecoder: NSCoder) { super.init() }
    func encode(with aCoder: NSCoder) {}
}

/// A class that can be archived only where no secure coding is required.
private final class Insecure: NSObject, NSCoding {
    override init() { super.init() }
    required init?(coder aDecoder: NSCoder) { super.init() }
    func encode(with aCoder: NSCoder) { aCoder.encode(5, forKey: "number") }
}

/// The short forms, called through a protocol, as direct calls cause deprecation warnings.
private protocol ShortForms {
    func archivedData(_ object: Any) -> Data
    func archive(_ object: Any, toFile path: String) -> Bool
    func unarchive(_ data: Data) -> Any?
    func unarchiveTopLevel(_ data: Data) throws -> Any?
    func unarchive(file path: String) -> Any?
}

private struct AppleCode: ShortForms {
    @available(*, deprecated)
    func archivedData(_ object: Any) -> Data { NSKeyedArchiver.archivedData(withRootObject: object) }
    @available(*, deprecated)
    func archive(_ object: Any, toFile path: String) -> Bool {
        NSKeyedArchiver.archiveRootObject(object, toFile: path)
    }
    @available(*, deprecated)
    func unarchive(_ data: Data) -> Any? { NSKeyedUnarchiver.unarchiveObject(with: data) }
    @available(*, deprecated)
    func unarchiveTopLevel(_ data: Data) throws -> Any? {
        try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data)
    }
    @available(*, deprecated)
    func unarchive(file path: String) -> Any? { NSKeyedUnarchiver.unarchiveObject(withFile: path) }
}

/// Tests of archiving code as written for Apple's platforms.
@Suite("Apple's spelling")
struct AppleSpellingTests {
    @Test("An endless file is refused without reading it to the end")
    func endlessFile() { #expect(code.unarchive(file: "/dev/zero") == nil) }

    private let code: any ShortForms = AppleCode()
    private let quizzes = [
        QuizData(
            title: "Nutrition", answers: [AnswerData(choice: 2), AnswerData(choice: 0)],
            takenAt: Date(timeIntervalSinceReferenceDate: 800_000_000), score: 0.5),
        QuizData(title: "Grüße", answers: [], takenAt: Date(timeIntervalSinceReferenceDate: 0), score: 1),
    ]

    init() {
        NSKeyedArchiver.setClassName("SpelledQuiz", for: QuizData.self)
        NSKeyedArchiver.setClassName("SpelledAnswer", for: AnswerData.self)
        NSKeyedUnarchiver.setClass(QuizData.self, forClassName: "SpelledQuiz")
        NSKeyedUnarchiver.setClass(AnswerData.self, forClassName: "SpelledAnswer")
    }

    private func check(_ object: Any?) throws {
        let read = try #require(object as? [QuizData])
        #expect(read.map(\.title) == ["Nutrition", "Grüße"])
        #expect(read.map { $0.answers.map(\.choice) } == [[2, 0], []])
        #expect(read.map(\.takenAt) == quizzes.map(\.takenAt))
        #expect(read.map(\.score) == [0.5, 1])
    }

    @Test("Quizzes survive a round trip through the secure forms, which need not name the classes again for each key")
    func secure() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: quizzes, requiringSecureCoding: true)
        try check(
            NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, QuizData.self, AnswerData.self], from: data))
    }

    @Test("Quizzes survive a round trip through the short forms, from data and from a file")
    func short() throws {
        let data = code.archivedData(quizzes)
        try check(code.unarchive(data))
        try check(code.unarchiveTopLevel(data))
        let file = FileManager.default.temporaryDirectory.appending(path: "quizzes-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(code.archive(quizzes, toFile: file))
        try check(code.unarchive(file: file))
    }

    @Test("A class that is allowed for the root is refused where it is not listed")
    func listed() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: quizzes[0], requiringSecureCoding: true)
        let error = #expect(throws: ArchiveError.self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: QuizData.self, from: data)
        }
        #expect(error?.code == .classNotAllowed)
        #expect(error?.keyPath == "root.answers.NS.objects[0]")
    }

    @Test("Without secure coding an unregistered class is still refused, without a crash")
    func strangers() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: [Stranger()], requiringSecureCoding: true)
        #expect(code.unarchive(data) == nil)
        let error = #expect(throws: ArchiveError.self) { try code.unarchiveTopLevel(data) }
        #expect(error?.code == .classNotAllowed)
        #expect(code.unarchive(Data("no archive".utf8)) == nil)
        #expect(code.archivedData(FileHandle.standardError).isEmpty)
        #expect(!code.archive(quizzes, toFile: "/nowhere/at/all"))
        #expect(code.unarchive(file: "/nowhere/at/all") == nil)
    }

    @Test("A coder without secure coding reads registered classes where no class is given")
    func insecureCoder() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: quizzes, requiringSecureCoding: false)
        let secure = try NSKeyedUnarchiver(forReadingFrom: data)
        #expect(secure.requiresSecureCoding)
        #expect(secure.decodeObject(forKey: NSKeyedArchiveRootObjectKey) == nil)
        #expect((secure.error as? ArchiveError)?.code == .classNotAllowed)
        let insecure = try NSKeyedUnarchiver(forReadingFrom: data)
        insecure.requiresSecureCoding = false
        try check(insecure.decodeObject(forKey: NSKeyedArchiveRootObjectKey))
    }

    @Test("The short forms archive objects that do not support secure coding")
    func insecure() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: Insecure(), requiringSecureCoding: false)
        let short = code.archivedData(Insecure())
        #expect(short == data)
        let file = FileManager.default.temporaryDirectory.appending(path: "insecure-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let isArchived = code.archive(Insecure(), toFile: file)
        #expect(isArchived)
        let written = FileManager.default.contents(atPath: file)
        #expect(written == data)
    }
}
