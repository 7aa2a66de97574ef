import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the archivers through the interface of `NSCoder`.
@Suite("Coders")
struct CoderTests {
    private func archive(_ encode: (KeyedArchiver) -> Void) -> Data {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        encode(archiver)
        return archiver.encodedData
    }

    private func objects(_ data: Data) throws -> [PropertyListValue] {
        guard case .array(let objects) = try PropertyListValue(binary: data)["$objects"] else { return [] }
        return objects
    }

    @Test("Numbers of every width survive a round trip, directly under their keys and as objects")
    func numbers() throws {
        let integers: [Int64] = [0, 1, 127, 128, 255, 256, 65_535, 65_536, 1 << 32 - 1, 1 << 32, .max, -1, -129, .min]
        let data = archive { archiver in
            for (position, number) in integers.enumerated() { archiver.encode(number, forKey: "\(position)") }
            archiver.encode(Int32.min, forKey: "int32")
            archiver.encode(Float(0.1), forKey: "float")
            archiver.encode(-0.0, forKey: "zero")
            archiver.encode(Double.nan, forKey: "nan")
            archiver.encode(integers as NSArray, forKey: "objects")
            archiver.encode(NSNumber(value: UInt64.max), forKey: "unsigned")
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        for (position, number) in integers.enumerated() {
            #expect(unarchiver.decodeInt64(forKey: "\(position)") == number)
        }
        #expect(unarchiver.decodeInt32(forKey: "int32") == .min)
        #expect(unarchiver.decodeFloat(forKey: "float") == 0.1)
        #expect(unarchiver.decodeDouble(forKey: "zero").sign == .minus)
        #expect(unarchiver.decodeDouble(forKey: "nan").isNaN)
        #expect(unarchiver.decodeArray(of: Int.self, forKey: "objects") == integers.map { Int($0) })
        #expect(unarchiver.decodeObject(of: NSNumber.self, forKey: "unsigned")?.uint64Value == .max)
        #expect(unarchiver.error == nil)
    }

    @Test("Sixteen-byte numbers, as developer tools send them, are read if they fit")
    func wideNumbers() throws {
        func file(_ number: [UInt8]) -> Data {
            var bytes = Data("bplist00".utf8) + [0x14] + number
            bytes += [8] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
            return bytes + [0, 0, 0, 0, 0, 0, 0, 25]
        }
        let three = try PropertyListValue(binary: file([UInt8](repeating: 0, count: 15) + [3]))
        #expect(three == .integer(3))
        let minusOne = try PropertyListValue(binary: file([UInt8](repeating: 0xFF, count: 16)))
        #expect(minusOne == .integer(-1))
        let eight = [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)
        let largest = try PropertyListValue(binary: file(eight))
        #expect(largest == .unsigned(.max))
        #expect(code { try PropertyListValue(binary: file([1] + [UInt8](repeating: 0, count: 15))) } == .corruptObject)
    }

    @Test(
        "Decimal numbers survive a round trip",
        arguments: [
            "0", "1", "-1.25", "123456789012345678901234567890.12345678", "1e127", "-1e-127",
            "3.402823669209384634633746074317682114559999", "not a number",
        ])
    func decimals(_ text: String) throws {
        let decimal = try #require(text == "not a number" ? Decimal.nan : Decimal(string: text))
        let read = try KeyedUnarchiver.unarchivedObject(
            ofClass: NSDecimalNumber.self, from: archived(NSDecimalNumber(decimal: decimal)))
        #expect(
            read?.decimalValue == decimal || (decimal.isNaN && read?.decimalValue.isNaN == true),
            "\(String(describing: read))")
    }

    @Test("The usual values of NSValue survive a round trip")
    func geometry() throws {
        func read(_ value: NSValue) throws -> NSValue? {
            try KeyedUnarchiver.unarchivedObject(ofClasses: [NSValue.self], from: archived(value)) as? NSValue
        }
        let point = try read(NSValue(point: CGPoint(x: 1.5, y: -2)))?.pointValue
        #expect(point == CGPoint(x: 1.5, y: -2))
        let size = try read(NSValue(size: CGSize(width: 3, height: 0.1)))?.sizeValue
        #expect(size == CGSize(width: 3, height: 0.1))
        let rectangle = CGRect(x: -1, y: 2, width: 3, height: 4)
        let area = try read(NSValue(rect: rectangle))?.rectValue
        #expect(area == rectangle)
        let range = try read(NSValue(range: NSRange(location: 7, length: 9)))?.rangeValue
        #expect(range == NSRange(location: 7, length: 9))
    }

    @Test("Relative URLs keep their base")
    func addresses() throws {
        let url = try #require(URL(string: "b?c=d", relativeTo: URL(string: "https://example.org/a/")))
        let object = try #require(NSURL(string: "b?c=d", relativeTo: URL(string: "https://example.org/a/")))
        for data in [try archived(url), try archived(object)] {
            let read = try #require(try KeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: data))
            #expect(read.absoluteString == "https://example.org/a/b?c=d")
            #expect(read.relativeString == "b?c=d")
            #expect(read.baseURL?.absoluteString == "https://example.org/a/")
        }
    }

    @Test("A conditional reference is nil unless its object is also encoded unconditionally, before or after")
    func conditional() throws {
        let (soup, cheese) = (Course(title: "Suppe"), Course(title: "Käse"))
        let data = archive { archiver in
            archiver.encodeConditionalObject(soup, forKey: "early")
            archiver.encode([soup], forKey: "list")
            archiver.encodeConditionalObject(soup, forKey: "late")
            archiver.encodeConditionalObject(cheese, forKey: "alone")
            archiver.encodeConditionalObject(nil, forKey: "none")
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let early = unarchiver.decodeObject(of: Course.self, forKey: "early")
        #expect(early?.title == "Suppe")
        #expect(early === unarchiver.decodeObject(of: Course.self, forKey: "late"))
        for key in ["alone", "none"] {
            #expect(unarchiver.containsValue(forKey: key))
            #expect(unarchiver.decodeObject(of: Course.self, forKey: key) == nil)
        }
        #expect(unarchiver.error == nil)
    }

    @Test("A key that is encoded twice keeps its last value", arguments: [1, 20])
    func repeatedKeys(_ others: Int) throws {
        let data = archive { archiver in
            for position in 0..<others { archiver.encode(position, forKey: "other \(position)") }
            archiver.encode("first", forKey: "key")
            archiver.encode(5, forKey: "between")
            archiver.encode("last", forKey: "key")
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(unarchiver.decodeString(forKey: "key") == "last")
        #expect(unarchiver.decodeInteger(forKey: "between") == 5)
        #expect(unarchiver.error == nil)
    }

    @Test("Objects without keys keep their order")
    func unkeyed() throws {
        let data = archive { archiver in
            archiver.encode("first")
            archiver.encode(nil)
            archiver.encodeRootObject(["third"])
        }
        let top = try PropertyListValue(binary: data)["$top"]?["$1"]
        #expect(top == .uid(0))
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(unarchiver.decodeObject() as? NSString == "first")
        #expect(unarchiver.decodeObject() == nil)
        #expect(unarchiver.decodeObject() as? NSArray == ["third"])
        #expect(unarchiver.decodeObject() == nil)
        let first = try PropertyListValue(archive: data, key: "$0")
        #expect(first == .string("first"))
    }

    @Test("Values that are encoded after the archive was finished are an error that names the key", arguments: 0..<5)
    func late(_ form: Int) {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode("first")
        archiver.finishEncoding()
        #expect(archiver.error == nil)
        switch form {
        case 0: archiver.encode("late")
        case 1: archiver.encodeRootObject("late")
        case 2: archiver.encode("late", forKey: "$1")
        case 3: archiver.encodeConditionalObject(NSNull(), forKey: "$1")
        default: archiver.encode(5, forKey: "$1")
        }
        let error = archiver.error as? ArchiveError
        #expect(error?.code == .unsupportedValue)
        #expect(error?.keyPath == "$1")
    }

    @Test("After an error nothing is encoded, and the first error stays")
    func afterError() {
        struct Opaque {}
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(Opaque(), forKey: "opaque")
        let first = archiver.error as? ArchiveError
        #expect(first?.code == .unsupportedValue)
        archiver.encode("late")
        archiver.encode(Opaque())
        archiver.encode("late", forKey: "late")
        archiver.encode(5, forKey: "number")
        archiver.finishEncoding()
        #expect(archiver.error as? ArchiveError == first)
        #expect(archiver.encodedData == Data())
    }

    @Test("Bytes survive a round trip, and can be read without a copy")
    func bytes() throws {
        let bytes: [UInt8] = [1, 2, 3]
        let data = archive { $0.encodeBytes(bytes, length: 3, forKey: "bytes") }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(unarchiver.withDecodedUnsafeBufferPointer(forKey: "bytes") { $0.map { Array($0) } } == bytes)
        let none: [UInt8]? = unarchiver.withDecodedUnsafeBufferPointer(forKey: "none") { $0.map { Array($0) } }
        #expect(none == nil)
    }

    // MARK: - Delegates

    private final class Recorder: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
        var events: [String] = []
        private let stand = Course(title: "statt dessen")

        func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any? {
            guard let course = object as? Course else { return object }
            return course.title == "weg" ? nil : course.title == "ersetzt" ? stand : course
        }
        func archiver(_ archiver: KeyedArchiver, willReplace object: Any?, with newObject: Any?) {
            events.append("replaced")
        }
        func archiver(_ archiver: KeyedArchiver, didEncode object: Any?) {
            if let course = object as? Course { events.append("encoded \(course.title)") }
        }
        func archiverWillFinish(_ archiver: KeyedArchiver) { events.append("will finish") }
        func archiverDidFinish(_ archiver: KeyedArchiver) { events.append("did finish") }

        func unarchiver(
            _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String,
            originalClasses classNames: [String]
        ) -> AnyClass? {
            events.append("asked for \(name) of \(classNames)")
            return name == "Gericht" ? Course.self : nil
        }
        func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? {
            (object as? Course)?.title == "Suppe" ? Course(title: "Eintopf") : object
        }
    }

    @Test("A delegate can replace or omit encoded objects")
    func archiverDelegate() throws {
        let recorder = Recorder()
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.delegate = recorder
        let replaced = Course(title: "ersetzt")
        for (key, course) in [
            ("a", replaced), ("b", replaced), ("c", Course(title: "weg")), ("d", Course(title: "da")),
        ] {
            archiver.encode(course, forKey: key)
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let first = unarchiver.decodeObject(of: Course.self, forKey: "a")
        #expect(first?.title == "statt dessen")
        #expect(first === unarchiver.decodeObject(of: Course.self, forKey: "b"))
        #expect(unarchiver.decodeObject(of: Course.self, forKey: "c") == nil)
        #expect(unarchiver.decodeObject(of: Course.self, forKey: "d")?.title == "da")
        #expect(recorder.events == ["replaced", "encoded statt dessen", "encoded da", "will finish", "did finish"])
    }

    @Test("A delegate can supply a class and replace decoded objects")
    func unarchiverDelegate() throws {
        let recorder = Recorder()
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName("Gericht", for: Course.self)
        archiver.encode(Course(title: "Suppe"), forKey: "root")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.delegate = recorder
        #expect(unarchiver.decodeObject(of: Course.self, forKey: "root")?.title == "Eintopf")
        #expect(recorder.events == ["asked for Gericht of [\"Gericht\", \"NSObject\"]"])
    }

    @Test("Objects of unknown classes are decoded as values on request")
    func unknownClasses() throws {
        let data = try handmade([
            .dictionary([
                "$class": .uid(2), "title": .uid(3), "count": .integer(5), "inner": .uid(4), "none": .uid(0),
            ]), classObject("Theirs"), .string("x"), .dictionary(["$class": .uid(2), "flag": .boolean(true)]),
        ])
        #expect(code { try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) } == .classNotAllowed)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.decodesUnknownClasses = true
        let object = try #require(unarchiver.decodeObject(of: plainClasses, forKey: "root") as? ArchivedObject)
        #expect(object.className == "Theirs")
        #expect(object.classNames == ["Theirs", "NSObject"])
        #expect(object.values["count"] as? Int == 5)
        #expect((object.values["title"] as? NSString)?.description == "x")
        #expect((object.values["inner"] as? ArchivedObject)?.values["flag"] as? Bool == true)
    }

    @Test("Names of private classes do not crash the process and contain no address")
    func privateClasses() throws {
        final class Inner: NSObject, NSSecureCoding {
            static let supportsSecureCoding = true
            override init() {}
            func encode(with coder: NSCoder) { coder.encode(1, forKey: "one") }
            init?(coder: NSCoder) { super.init() }
        }
        let data = try archived(Inner())
        let names = try objects(data).compactMap { $0["$classname"] }
        #expect(names.contains(.string("KeyedArchiveTests.CoderTests.Inner")))
        let read = try KeyedUnarchiver.unarchivedObject(ofClass: Inner.self, from: data)
        #expect(read != nil)
    }

    @Test("A reused workspace contains nothing of the previous archive")
    func workspaces() throws {
        let texts = (0..<2000).map { "text number \($0) that is long" }
        let small = try archived(["a", 1] as [Any])
        _ = try archived([texts, texts.map { Course(title: $0) }] as [Any])
        _ = try? archived([Course(title: "x"), FileHandle.standardError] as [Any])
        let again = try archived(["a", 1] as [Any])
        #expect(again == small)
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            let concurrent = try? archived(["a", 1] as [Any])
            #expect(concurrent == small)
        }
    }

    // MARK: - Other readers

    private static let python = "/usr/bin/python3"
    private static let plistutil = "/usr/bin/plistutil"

    /// Returns the output of a program that receives an archive on standard input.
    private func output(of program: String, _ arguments: [String], input: Data) throws -> String {
        let process = Process()
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }

    private var sample: [String: Any] {
        [
            "text": "Grüße 🥦", "numbers": [1, -1, 1.5, true, UInt64.max] as [Any], "data": Data([1, 2]),
            "date": Date(timeIntervalSinceReferenceDate: 0), "many": Array(0..<300), "set": Set([1, 2]),
        ]
    }

    @Test("Python's plistlib reads the archive", .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func plistlib() throws {
        let script = """
            import plistlib, sys
            tree = plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_BINARY)
            objects = tree["$objects"]
            print(tree["$archiver"], objects[0], len([o for o in objects if isinstance(o, int)]), "Grüße 🥦" in objects)
            """
        let printed = try output(of: Self.python, ["-c", script], input: archived(sample))
        #expect(printed == "NSKeyedArchiver $null 303 True\n")
    }

    @Test("libplist reads the archive", .enabled(if: FileManager.default.isExecutableFile(atPath: plistutil)))
    func libplist() throws {
        let text = try output(of: Self.plistutil, ["-i", "-", "-f", "xml"], input: archived(sample))
        #expect(text.contains("<string>NSKeyedArchiver</string>"))
        #expect(text.contains("Grüße 🥦"))
    }
}
