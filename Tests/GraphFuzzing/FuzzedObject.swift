import Foundation
import KeyedArchive

/// A typical client class: reads values under some keys with every method of a coder.
final class FuzzedObject: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = "FuzzedObject"
    static let keys = ["title", "list", "any", "tree", "next"]
    static var supportsSecureCoding: Bool { true }

    private let list: NSObject?
    private let any: NSObject?
    private let next: FuzzedObject?

    init?(coder: NSCoder) {
        next = coder.containsValue(forKey: "next") ? coder.decodeObject(of: FuzzedObject.self, forKey: "next") : nil
        list = coder.decodeObject(of: [NSArray.self, NSSet.self, NSString.self], forKey: "list") as? NSObject
        any = coder.decodeObject(forKey: "any") as? NSObject
        super.init()
        _ = coder.decodeString(forKey: "title")
        _ = (coder as? KeyedUnarchiver)?.decodeDecodable(RecursiveValue.self, forKey: "tree")
    }

    func encode(with coder: NSCoder) {
        coder.encode(list, forKey: "list")
        coder.encode(any, forKey: "any")
    }
}
