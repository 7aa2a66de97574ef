import Foundation
import KeyedArchive

/// A class with a nested class, archived under stable names.
final class Meal: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    static let archiveName = "Meal"
    static let supportsSecureCoding = true
    let name: String
    let courses: [Course]
    let grams: Double
    let isVegetarian: Bool

    init(name: String, courses: [Course], grams: Double, isVegetarian: Bool) {
        self.name = name
        self.courses = courses
        self.grams = grams
        self.isVegetarian = isVegetarian
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(courses, forKey: "courses")
        coder.encode(grams, forKey: "grams")
        coder.encode(isVegetarian, forKey: "isVegetarian")
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
            let courses = coder.decodeObject(of: [NSArray.self, Course.self], forKey: "courses") as? [Course]
        else { return nil }
        self.name = name.description
        self.courses = courses
        grams = coder.decodeDouble(forKey: "grams")
        isVegetarian = coder.decodeBool(forKey: "isVegetarian")
    }
}

final class Course: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    static let archiveName = "Course"
    static let supportsSecureCoding = true
    let title: String

    init(title: String) { self.title = title }
    func encode(with coder: NSCoder) { coder.encode(title, forKey: "title") }
    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
        self.title = title.description
    }
}

/// An object that refers to itself or another, for cycles and depth.
final class Link: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = "Link"
    static let supportsSecureCoding = true
    var next: Link?

    override init() {}
    func encode(with coder: NSCoder) { coder.encode(next, forKey: "next") }
    init?(coder: NSCoder) { next = coder.decodeObject(of: Link.self, forKey: "next") }
}

let plainClasses: [AnyClass] = [
    NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSData.self, NSDate.self, NSUUID.self,
    NSURL.self, NSNull.self,
]

func archived(_ object: Any) throws -> Data {
    try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
}

func roundTrip(_ object: Any) throws -> Any? {
    try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: archived(object))
}

/// Assembles a keyed archive from `$objects` after “$null”, and the UID of the root.
func handmade(_ objects: [PropertyListValue], root: UInt32 = 1) throws -> Data {
    try PropertyListValue.dictionary([
        "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
        "$top": .dictionary(["root": .uid(root)]), "$objects": .array([.string("$null")] + objects),
    ]).binaryData()
}

func classObject(_ name: String) -> PropertyListValue {
    .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
}

func code(_ body: () throws -> Any?) -> ArchiveError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? ArchiveError)?.code
    }
}
