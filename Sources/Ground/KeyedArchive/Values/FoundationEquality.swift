import Foundation

/// Which objects Foundation on Linux can hash and compare. What it cannot ends the process or costs more than any bound, so that
/// no archive may bring it into a set, or among the keys of a dictionary.
enum FoundationEquality {
    /// Whether an element of a set can be looked up, by this set and by whoever hashes or compares it later.
    ///
    /// Collections cannot: arrays and dictionaries trap where two sets that hold them are compared, equal ordered sets have
    /// different hashes, and a set within a set is copied and hashed again for each level above it.
    static func canLookUp(_ element: AnyObject) -> Bool {
        switch element {
        // Its hash never comes back.
        case is NSDecimalNumber: false
        case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet: false
        default: true
        }
    }

    /// Whether a key of a dictionary can be looked up and copied. A relative URL loses its base where Foundation compares two
    /// dictionaries, is then not found, and ends the process.
    static func canBeKey(_ key: AnyObject) -> Bool {
        key is any NSCopying && canLookUp(key) && (key as? NSURL)?.baseURL == nil
    }

    /// Whether there are two texts of one meaning in different forms, as “é” may be one character or two. Foundation takes them
    /// for equal and gives them different hashes, which ends the process when they happen to meet in a table.
    static func holdsTwoForms(_ elements: [some AnyObject]) -> Bool {
        var hashes: [String: Int] = [:]
        for case let text as NSString in elements {
            let string = text.description
            // What is ASCII has one form only.
            guard string.utf8.contains(where: { $0 >= 0x80 }) else { continue }
            guard hashes.updateValue(text.hash, forKey: string) ?? text.hash == text.hash else { return true }
        }
        return false
    }

    /// Bytes that comparing an object with its equal has to look at; those of texts and data only, as all others are small.
    static func length(of object: AnyObject) -> Int {
        switch object {
        case let text as NSString: text.description.utf8.count
        case let data as NSData: data.length
        default: 0
        }
    }
}
