import Foundation
import Testing

@testable import KeyedArchive

/// A class whose objects may be archived, but not where secure coding is required.
private class Unsafe: NSObject, NSCoding {
    override init() { super.init() }
    required init?(coder: NSCoder) { super.init() }
    func encode(with coder: NSCoder) { coder.encode(5, forKey: "number") }
}

private final class Declining: Unsafe, NSSecureCoding {
    static var supportsSecureCoding: Bool { false }
}

private final class Bare {}

/// Tests of the decision how the values of a type are archived.
@Suite("Forms of types")
struct TypeFormTests {
    /// Returns the form of a type, in words.
    private func form(_ type: Any.Type) -> String {
        switch TypeForm.of(type).kind {
        case .inline: "inline"
        case .foundation: "foundation"
        case .coding(let isSecure, _): isSecure ? "secure" : "not secure"
        case .unsupportedClass: "unsupported class"
        case .collection: "collection"
        case .other: "other"
        }
    }

    @Test("A Swift type that is neither a class nor a collection has no form of its own")
    func others() {
        let types: [Any.Type] = [Int.self, String.self, Date.self, UUID.self, Int?.self, (Int, Int).self]
        for type in types {
            let came = form(type)
            #expect(came == "other", "\(type)")
            let known = TypeForm.of(type)
            #expect(!known.isClass, "\(type)")
            #expect(!known.isNSObject, "\(type)")
        }
    }

    @Test("Swift's collections are archived as such, whatever their elements")
    func collections() {
        let types: [Any.Type] = [
            [Int].self, [Any].self, [Course].self, Set<String>.self, [String: Any].self, [Int: [Int]].self,
        ]
        for type in types {
            let came = form(type)
            #expect(came == "collection", "\(type)")
            let info = ArchivedTypeInfo(TypeForm.of(type))
            #expect(info.isCollection, "\(type)")
            #expect(!info.isClass, "\(type)")
        }
    }

    @Test("Texts, data and numbers are archived in place, their mutable and decimal forms as objects")
    func values() {
        let inline: [Any.Type] = [NSString.self, NSData.self, NSNumber.self]
        for type in inline {
            let came = form(type)
            #expect(came == "inline", "\(type)")
        }
        let objects: [Any.Type] = [
            NSMutableString.self, NSMutableData.self, NSDecimalNumber.self, NSValue.self, NSArray.self,
            NSMutableArray.self, NSDictionary.self, NSMutableDictionary.self, NSSet.self, NSCountedSet.self,
            NSOrderedSet.self, NSIndexSet.self, NSDate.self, NSUUID.self, NSURL.self, NSNull.self,
        ]
        for type in objects {
            let came = form(type)
            #expect(came == "foundation", "\(type)")
        }
    }

    @Test("A class that adopts NSCoding archives itself, securely if it says so")
    func coding() {
        let secure = form(Course.self)
        #expect(secure == "secure")
        let silent = form(Unsafe.self)
        #expect(silent == "not secure")
        let declining = form(Declining.self)
        #expect(declining == "not secure")
    }

    @Test("A class that does not adopt NSCoding is not supported, whatever it derives from")
    func unsupported() {
        for type in [NSObject.self, Bare.self] as [Any.Type] {
            let came = form(type)
            #expect(came == "unsupported class", "\(type)")
        }
    }

    @Test("Classes are told from other types, and those that derive from NSObject from others")
    func classes() {
        for type in [NSObject.self, NSString.self, Course.self] as [Any.Type] {
            let known = TypeForm.of(type)
            #expect(known.isClass, "\(type)")
            #expect(known.isNSObject, "\(type)")
            let info = ArchivedTypeInfo(known)
            #expect(info.isClass, "\(type)")
            #expect(info.isNSObject, "\(type)")
            #expect(!info.isCollection, "\(type)")
        }
        let bare = TypeForm.of(Bare.self)
        #expect(bare.isClass)
        #expect(!bare.isNSObject)
    }

    @Test("The form of a type is determined once")
    func once() {
        let (first, second) = (TypeForm.of(Bare.self), TypeForm.of(Bare.self))
        #expect(first === second)
    }
}
