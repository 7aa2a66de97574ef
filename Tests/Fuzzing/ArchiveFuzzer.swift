// The function that the fuzzer calls for each input. ./run builds it together with the sources of KeyedArchive.

import Foundation

/// The entry points of the codec that can be fuzzed, chosen by the environment variable FUZZ_DOOR or else by the program's
/// name: OSS-Fuzz sets no variables, and has a copy of the program for each.
private enum Door: String, CaseIterable {
    /// Bytes to values, plain and archived.
    case values
    /// Values that are written and read: they must keep their bytes, plain and archived.
    case stable
    /// Bytes to objects of all classes, which are written and read again.
    case objects
}

private let door =
    Door(rawValue: ProcessInfo.processInfo.environment["FUZZ_DOOR"] ?? "")
    ?? Door.allCases.first { (CommandLine.arguments.first ?? "").hasSuffix("-\($0.rawValue)") } ?? .values

/// A typical client class: reads values under some keys.
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

/// A typical client value, recursive.
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
        fatalError("a written value cannot be read")
    }
    guard again == written else { fatalError("a value has different bytes after writing and reading") }
}

/// Checks the same for archives, also through objects and through `Codable`.
private func checkArchive(_ data: Data) {
    guard let value = try? PropertyListValue(archive: data), let written = try? value.archivedData() else { return }
    guard let read = try? PropertyListValue(archive: written), (try? read.archivedData()) == written else {
        fatalError("a value has different bytes after archiving and reading")
    }
    if let again = try? PropertyListValue(object: value.object), (try? again.archivedData()) != written {
        fatalError("a value has different bytes after conversion to objects")
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
        fatalError("an archived object cannot be read")
    }
}
