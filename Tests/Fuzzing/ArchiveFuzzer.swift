// What the fuzzer calls for each input. Built together with the sources of KeyedArchive by ./run.

import Foundation

/// The doors of the codec that can be tried, chosen by the environment variable FUZZ_DOOR.
private enum Door: String {
    /// Bytes to values, plain and archived.
    case values
    /// Values, written and read again, are the same and have the same bytes, plain and archived.
    case stable
    /// Bytes to objects of all classes, those written and read again.
    case objects
}

private let door = Door(rawValue: ProcessInfo.processInfo.environment["FUZZ_DOOR"] ?? "") ?? .values

/// A class as users write them: reads what it finds under some keys.
final class FuzzedQuiz: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = "QuizData"
    static var supportsSecureCoding: Bool { true }
    let title: String
    let answers: [Int]

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encode(answers, forKey: "answers")
    }

    init?(coder: NSCoder) {
        guard let title = coder.decodeString(forKey: "title") else { return nil }
        self.title = title
        answers = coder.decodeArray(of: Int.self, forKey: "answers") ?? []
        _ = coder.decodeDate(forKey: "date")
        _ = coder.decodeUUID(forKey: "identifier")
        _ = coder.decodeData(forKey: "data")
        _ = coder.decodeDouble(forKey: "score")
        _ = coder.decodeInt32(forKey: "score")
        _ = coder.decodeBool(forKey: "score")
        _ = coder.decodeArrayOfObjects(ofClass: FuzzedQuiz.self, forKey: "quizzes")
        _ = coder.decodeObject(forKey: "date")
        super.init()
    }
}

/// A value as users write them, of itself.
private struct FuzzedRecord: Decodable {
    let title: String?
    let answers: [Int?]?
    let parts: [String: [FuzzedRecord]]?
    let date: Date?
    let score: Float?
}

private let classes: [AnyClass] = ValueClass.allCases.map(\.foundationClass) + [NSNumber.self, FuzzedQuiz.self]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = start.map { Data(bytes: $0, count: count) } ?? Data()
    switch door {
    case .values:
        _ = try? PropertyListValue(binary: data)
        _ = try? PropertyListValue(archive: data)
    case .stable:
        checkStable(data)
        checkArchive(data)
    case .objects: checkObjects(data)
    }
    return 0
}

private func checkStable(_ data: Data) {
    guard let value = try? PropertyListValue(binary: data), let written = try? value.binaryData() else { return }
    guard let read = try? PropertyListValue(binary: written), let again = try? read.binaryData() else {
        fatalError("what was written is not read")
    }
    guard again == written else { fatalError("what was written and read has other bytes") }
}

/// The same for archives, also by way of objects and of `Codable`.
private func checkArchive(_ data: Data) {
    guard let value = try? PropertyListValue(archive: data), let written = try? value.archivedData() else { return }
    guard let read = try? PropertyListValue(archive: written), (try? read.archivedData()) == written else {
        fatalError("what was archived and read has other bytes")
    }
    if let again = try? PropertyListValue(object: value.object), (try? again.archivedData()) != written {
        fatalError("what went through objects has other bytes")
    }
    _ = try? KeyedArchiveDecoder().decode(FuzzedRecord.self, from: value)
}

private func checkObjects(_ data: Data) {
    guard let unarchiver = try? KeyedUnarchiver(forReadingFrom: data) else { return }
    unarchiver.decodesUnknownClasses = data.count % 2 == 0
    guard let object = unarchiver.decodeObject(of: classes, forKey: "root"), unarchiver.error == nil else { return }
    guard let written = try? KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false) else {
        return
    }
    guard (try? KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: written)) != nil else {
        fatalError("what was archived is not read")
    }
}
