import Foundation
import Testing

@testable import KeyedArchive

/// Tests of objects that live shorter than the archiver, and of references that are decided at the end.
@Suite("Objects while they are written")
struct RepeatedWritingTests {
    @Test("Objects and arrays that the caller releases at once are written each with its own contents")
    func temporaries() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for number in 0..<50 {
            archiver.encode(Course(title: "course \(number)"), forKey: "course \(number)")
            archiver.encode([number, number + 1000], forKey: "numbers \(number)")
            archiver.encode(NSMutableString(string: "text \(number)"), forKey: "text \(number)")
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        for number in 0..<50 {
            let title = unarchiver.decodeObject(of: Course.self, forKey: "course \(number)")?.title
            #expect(title == "course \(number)")
            let numbers = unarchiver.decodeArray(of: Int.self, forKey: "numbers \(number)")
            #expect(numbers == [number, number + 1000])
            let text = unarchiver.decodeString(forKey: "text \(number)")
            #expect(text == "text \(number)")
        }
        #expect(unarchiver.error == nil)
    }

    @Test("A conditional reference to an object that the caller releases is nil, whatever is encoded next")
    func gone() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for number in 0..<50 {
            archiver.encodeConditionalObject(Course(title: "gone"), forKey: "gone \(number)")
            archiver.encode(Course(title: "here"), forKey: "here \(number)")
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        for number in 0..<50 {
            #expect(unarchiver.containsValue(forKey: "gone \(number)"))
            let gone = unarchiver.decodeObject(of: Course.self, forKey: "gone \(number)")
            #expect(gone == nil)
            let here = unarchiver.decodeObject(of: Course.self, forKey: "here \(number)")?.title
            #expect(here == "here")
        }
        #expect(unarchiver.error == nil)
    }

    @Test("A conditional reference is completed whatever the width of the object's UID", arguments: [10, 300, 70_000])
    func wide(_ others: Int) throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        let course = Course(title: "Suppe")
        archiver.encodeConditionalObject(course, forKey: "early")
        archiver.encode((0..<others).map { $0 + 1000 }, forKey: "others")
        archiver.encode(course, forKey: "late")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let early = unarchiver.decodeObject(of: Course.self, forKey: "early")
        #expect(early?.title == "Suppe")
        let late = unarchiver.decodeObject(of: Course.self, forKey: "late")
        #expect(early === late)
        #expect(unarchiver.error == nil)
    }

    @Test("A value without identity has no conditional reference")
    func values() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encodeConditionalObject("text", forKey: "conditional")
        archiver.encode("text", forKey: "text")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(unarchiver.containsValue(forKey: "conditional"))
        let conditional = unarchiver.decodeString(forKey: "conditional")
        #expect(conditional == nil)
        let text = unarchiver.decodeString(forKey: "text")
        #expect(text == "text")
        #expect(unarchiver.error == nil)
    }
}
