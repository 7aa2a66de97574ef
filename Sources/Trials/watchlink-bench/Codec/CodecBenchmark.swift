import Foundation
import KeyedArchive
import QuizSync

/// Compares the codec with Foundation's, with JSON and with a plain copy of the bytes.
struct CodecBenchmark {
    /// The number of quizzes in one archive: as many as 64 KiB hold.
    static let many = 232

    private let effort: Effort

    private let quiz = BenchmarkQuiz(number: 1)
    private let quizzes = (1...Self.many).map { BenchmarkQuiz(number: $0) }
    private let tenfold = (1...(10 * Self.many)).map { BenchmarkQuiz(number: $0) }
    private let blob: [String: Any] = ["blob": Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 167) })]

    /// A quiz as exchanged by the services, with four answers.
    private let own = QuizData(
        title: "Daily nutrition quiz", takenAt: Date(timeIntervalSinceReferenceDate: 800_000_000.5),
        answers: ["vegetables", "fruit", "grain", "water"].enumerated().map { position, food in
            QuizAnswer(question: "How much \(food) did you have?", choice: "Enough", points: Double(position))
        })

    init(_ effort: Effort) { self.effort = effort }

    func report(progress: (String) -> Void) throws -> Report {
        var rows: [Measurement] = []
        func add(_ title: String, _ make: () throws -> [Measurement]) throws {
            progress(title)
            rows += try make()
        }
        let (apple, apples) = (AppleQuiz(quiz), quizzes.map(AppleQuiz.init) as NSArray)
        try add("one quiz as Apple's code") { try pair("q, as Apple code", apple, encode: nil, decode: nil) }
        try add("\(Self.many) quizzes as Apple's code") {
            try pair("q64, as Apple code", apples, encode: nil, decode: nil)
        }
        try add("one quiz") { try pair("q, Swift values", quiz, encode: 150, decode: 40) }
        try add("\(Self.many) quizzes") {
            try pair("q64, Swift values", quizzes as NSArray, encode: 2_000, decode: 30)
        }
        try add("64 KiB of data") { try blobs() }
        try add("ten times the quizzes") { try growth() }
        try add("WatchLink's own quiz") { try pair("QuizData", own, encode: nil, decode: nil) }
        try add("JSON and Codable") { try codable() }
        let sizes = try [quiz as Any, quizzes, blob].map { try Self.archive($0).count }
        return Report(
            title:
                "codec: keyed archives of \(sizes[0]) bytes (q: one quiz), \(sizes[1]) bytes (q64: \(Self.many) quizzes), "
                + "\(sizes[2]) bytes (blob)",
            notes: [
                "Medians of alternating samples. Allocations: ours / the reference's, for one operation.",
                "Foundation reads what Foundation wrote; both use the same encode(with:) and init(coder:).",
            ],
            rows: rows)
    }

    private static func archive(_ object: Any) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private static let classes: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSData.self, NSDate.self, NSUUID.self,
        AppleQuiz.self, BenchmarkQuiz.self, QuizData.self, QuizAnswer.self,
    ]

    private func pair(_ name: String, _ object: Any, encode: Double?, decode: Double?) throws -> [Measurement] {
        let ours = try Self.archive(object)
        let theirs = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        let encoding = try Race.run(
            effort,
            [
                Contender(name: "ours") { _ = try Self.archive(object) },
                Contender(name: "Foundation") {
                    _ = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
                },
            ])
        let decoding = try Race.run(
            effort,
            [
                Contender(name: "ours") { try Self.decode(object, ours) },
                Contender(name: "Foundation") {
                    _ = try NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: theirs)
                },
            ])
        return [
            row("\(name) encode", encoding, against: "Foundation", encode.map(Target.timesFaster)),
            row("\(name) decode", decoding, against: "Foundation", decode.map(Target.timesFaster)),
        ]
    }

    /// Reads an archive of an object or of a list of such objects.
    static func decode(_ object: Any, _ data: Data) throws {
        switch object {
        case is AppleQuiz: _ = try KeyedUnarchiver.unarchivedObject(ofClass: AppleQuiz.self, from: data)
        case let list as NSArray where list.firstObject is AppleQuiz:
            _ = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: AppleQuiz.self, from: data)
        case is BenchmarkQuiz: _ = try KeyedUnarchiver.unarchivedObject(ofClass: BenchmarkQuiz.self, from: data)
        case is QuizData: _ = try KeyedUnarchiver.unarchivedObject(ofClass: QuizData.self, from: data)
        default: _ = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: BenchmarkQuiz.self, from: data)
        }
    }

    private func blobs() throws -> [Measurement] {
        let archive = try Self.archive(blob)
        let blob = self.blob as NSDictionary
        let swift = self.blob
        guard let source = swift["blob"] as? Data else { return [] }
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        defer { target.deallocate() }
        let copy = Contender(name: "memcpy") { target.copyBytes(from: source) }
        let encoding = try Race.run(
            effort,
            [
                Contender(name: "ours") { _ = try Self.archive(swift) },
                Contender(name: "Foundation") {
                    _ = try NSKeyedArchiver.archivedData(withRootObject: blob, requiringSecureCoding: true)
                }, copy,
            ])
        let decoding = try Race.run(
            effort,
            [
                Contender(name: "ours") {
                    _ = try KeyedUnarchiver.unarchivedObject(
                        ofClasses: [NSDictionary.self, NSString.self, NSData.self], from: archive)
                },
                Contender(name: "Foundation") {
                    _ = try NSKeyedUnarchiver.unarchivedObject(
                        ofClasses: [NSDictionary.self, NSString.self, NSData.self], from: archive)
                }, copy,
            ])
        let tree = try Race.run(
            effort, [Contender(name: "ours") { _ = try PropertyListValue(archive: archive) }, copy])
        return [
            row("blob encode", encoding, against: "Foundation", .timesFaster(5_000)),
            row("blob decode", decoding, against: "Foundation", .timesFaster(2_000)),
            row("blob encode", [encoding[0], encoding[2]], against: "memcpy", .timesSlower(3)),
            row("blob decode, objects", [decoding[0], decoding[2]], against: "memcpy", nil),
            row("blob decode, values", tree, against: "memcpy", .timesSlower(2)),
        ]
    }

    private func growth() throws -> [Measurement] {
        let (few, many) = (quizzes as NSArray, tenfold as NSArray)
        let (fewArchive, manyArchive) = (try Self.archive(few), try Self.archive(many))
        let encoding = try Race.run(
            effort,
            [
                Contender(name: "tenfold") { _ = try Self.archive(many) },
                Contender(name: "q64") { _ = try Self.archive(few) },
            ])
        let decoding = try Race.run(
            effort,
            [
                Contender(name: "tenfold") { try Self.decode(many, manyArchive) },
                Contender(name: "q64") { try Self.decode(few, fewArchive) },
            ])
        return [
            row("10 × q64 encode", encoding, against: "q64", .timesSlower(11)),
            row("10 × q64 decode", decoding, against: "q64", .timesSlower(11)),
        ]
    }

    private func codable() throws -> [Measurement] {
        let value = QuizRecord(quiz)
        let json = try JSONEncoder().encode(value)
        let ours = try Self.archive(quiz)
        let quiz = self.quiz
        let tree = try KeyedArchiveEncoder().encode(value)
        let encoding = try Race.run(
            effort,
            [
                Contender(name: "NSCoding") { _ = try Self.archive(quiz) },
                Contender(name: "Codable") { _ = try KeyedArchiveEncoder().encode(value) },
                Contender(name: "JSON") { _ = try JSONEncoder().encode(value) },
            ])
        let decoding = try Race.run(
            effort,
            [
                Contender(name: "NSCoding") {
                    _ = try KeyedUnarchiver.unarchivedObject(ofClass: BenchmarkQuiz.self, from: ours)
                },
                Contender(name: "Codable") { _ = try KeyedArchiveDecoder().decode(QuizRecord.self, from: tree) },
                Contender(name: "JSON") { _ = try JSONDecoder().decode(QuizRecord.self, from: json) },
            ])
        return [
            row("q encode", [encoding[0], encoding[2]], against: "JSONEncoder", nil),
            row("q decode", [decoding[0], decoding[2]], against: "JSONDecoder", nil),
            row("q encode, Codable", [encoding[1], encoding[2]], against: "JSONEncoder", nil),
            row("q decode, Codable", [decoding[1], decoding[2]], against: "JSONDecoder", nil),
        ]
    }
}

/// The goal of a row, as a ratio of times within one race.
private enum Target {
    case timesFaster(Double)
    /// At most this many times as long as the reference.
    case timesSlower(Double)
}

/// Returns a measurement of ours against a reference from the same race.
private func row(
    _ name: String, _ figures: [Figure], against reference: String, _ target: Target?
) -> Measurement {
    let (ours, theirs) = (figures[0], figures[1])
    let goal: Measurement.Goal? =
        switch target {
        case .timesFaster(let wanted): .ratioAtMost(1 / wanted)
        case .timesSlower(let allowed): .ratioAtMost(allowed)
        case nil: nil
        }
    return Measurement(
        name: name, value: ours.nanoseconds / 1e9, unit: .seconds, reference: (reference, theirs.nanoseconds / 1e9),
        goal: goal, details: [("allocations", ours.allocations), ("theirs", theirs.allocations)])
}
