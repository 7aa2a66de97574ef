import Foundation

/// The objects that Foundation on Linux can hash and compare. Others crash the process or take unbounded time, so an
/// archive must not place them into sets or among the keys of a dictionary.
enum FoundationEquality {
    /// True if an element of a set can be looked up, by this set and in later hashing and comparing.
    ///
    /// Collections cannot: arrays and dictionaries trap when two sets that contain them are compared, equal ordered
    /// sets have different hashes, and a set within a set is copied and hashed again for each level above it.
    static func canLookUp(_ element: AnyObject) -> Bool {
        switch element {
        // Its hash function never returns.
        case is NSDecimalNumber: false
        case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet: false
        default: true
        }
    }

    /// True if a key of a dictionary can be looked up and copied. A relative URL loses its base when Foundation
    /// compares two dictionaries; the failed lookup then crashes the process.
    static func canBeKey(_ key: AnyObject) -> Bool {
        key is any NSCopying && canLookUp(key) && (key as? NSURL)?.baseURL == nil
    }

    /// True if two texts are canonically equivalent but in different Unicode forms, as “é” may be one character or two.
    /// Foundation considers them equal but hashes them differently, which crashes the process when they meet in a
    /// table.
    static func holdsTwoForms(_ elements: [some AnyObject]) -> Bool {
        var hashes: [String: Int] = [:]
        for case let text as NSString in elements {
            let string = text.description
            // ASCII text has one form only.
            guard string.utf8.contains(where: { $0 >= 0x80 }) else { continue }
            guard hashes.updateValue(text.hash, forKey: string) ?? text.hash == text.hash else { return true }
        }
        return false
    }

    /// Returns the bytes that a comparison of equal objects examines, for texts and data; zero for all others, as they
    /// are small.
    static func length(of object: AnyObject) -> Int {
        switch object {
        case let text as NSString: text.description.utf8.count
        case let data as NSData: data.length
        default: 0
        }
    }
}
