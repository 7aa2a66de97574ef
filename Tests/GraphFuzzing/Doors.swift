import Foundation
import KeyedArchive

/// Tries one archive at every door of the codec, and what comes out of it in every way that its users may.
struct Doors {
    /// What each door said, as text: the same in every process.
    private(set) var verdicts: [String] = []
    /// What is wrong: an archive that cost too much, or one that was written and is not read.
    private(set) var complaints: [String] = []

    /// Most processor time for one archive at one door, in seconds. 0.25: they have a few KiB, which take a hundredth of it; the
    /// rest is for other programs that a processor may be shared with.
    private static let longestReading = 0.25
    /// Most for whatever is done with an object afterwards. 5: Foundation copies collections again and again, so that some take
    /// one or two.
    private static let longestUse = 5.0

    private static let classes: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSData.self,
        NSDate.self, NSUUID.self, NSURL.self, NSNull.self, NSValue.self, NSIndexSet.self, FuzzedObject.self,
    ]

    static func trying(_ archive: Data) -> Doors {
        var doors = Doors()
        doors.tryObjects(archive)
        doors.tryUnknownClasses(archive)
        doors.tryTrees(archive)
        doors.tryCodable(archive, RecursiveValue.self)
        doors.tryCodable(archive, NestedLists.self)
        return doors
    }

    // MARK: - Doors

    private mutating func tryObjects(_ archive: Data) {
        let object = reading("objects") {
            try KeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: archive) as? NSObject
        }
        guard let object, let object else { return }
        use(object, archive)
    }

    private mutating func tryUnknownClasses(_ archive: Data) {
        let object = reading("unknown classes") {
            let unarchiver = try KeyedUnarchiver(forReadingFrom: archive)
            unarchiver.decodesUnknownClasses = true
            let object = unarchiver.decodeObject(of: Self.classes, forKey: "root") as? NSObject
            if let error = unarchiver.error { throw error }
            return object
        }
        guard let object, let object else { return }
        using("an unknown object") { _ = object.description.utf8.count &+ object.hash }
    }

    private mutating func tryTrees(_ archive: Data) {
        guard let plain = reading("binary", { try PropertyListValue(binary: archive) }) else { return }
        using("a plain tree") {
            _ = plain == (try PropertyListValue(binary: archive))
            let written = try plain.binaryData()
            guard try PropertyListValue(binary: written).binaryData() == written else {
                throw Complaint("a plain tree changed as it was written and read")
            }
        }
        guard let tree = reading("tree", { try PropertyListValue(archive: archive) }) else { return }
        using("a tree") {
            let written = try tree.archivedData()
            let again = try PropertyListValue(archive: written)
            guard try again.archivedData() == written else {
                throw Complaint("a tree changed as it was archived and read")
            }
            // Null is no value of a property list of objects.
            _ = try? PropertyListValue(object: tree.object)
            _ = tree == again
        }
    }

    private mutating func tryCodable<Value: Decodable>(_ archive: Data, _ type: Value.Type) {
        _ = reading("\(type)") { try KeyedArchiveDecoder().decode(type, from: archive) }
    }

    // MARK: - Objects, afterwards

    private mutating func use(_ object: NSObject, _ archive: Data) {
        using("the hash of an object") { _ = object.hash &+ AnyHashable(object).hashValue }
        using("printing an object") { _ = object.description.utf8.count &+ object.debugDescription.utf8.count }
        using("comparing an object") {
            let twin = try KeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: archive) as? NSObject
            _ = object.isEqual(twin)
        }
        using("copying an object") {
            _ = (object as? any NSCopying)?.copy(with: nil)
            _ = (object as? any NSMutableCopying)?.mutableCopy(with: nil)
        }
        using("making Swift's collection of an object") { Self.bridge(object) }
        using("archiving it again") {
            let written = try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
            do {
                guard try KeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: written) != nil else {
                    throw Complaint("what was archived again is nothing")
                }
            } catch let error as ArchiveError where error.code == .limitExceeded && error.detail.contains("one hash") {
                // That limit goes by the length of the archive, and equal values are written once.
            }
        }
        using("its tree") {
            guard let tree = try? PropertyListValue(object: object) else { return }
            _ = try tree.archivedData()
        }
    }

    /// Makes Swift's collections of Foundation's.
    private static func bridge(_ object: NSObject) {
        _ = (object as? [Any])?.count
        _ = (object as? [AnyHashable: Any])?.count
        _ = (object as? [String: Any])?.count
        _ = (object as? Set<AnyHashable>)?.count
        _ = (object as? NSOrderedSet)?.count { _ in true }
    }

    // MARK: - Judging

    /// Something that should not be.
    private struct Complaint: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private mutating func reading<Value>(_ door: String, _ read: () throws -> Value) -> Value? {
        let start = ProcessorTime.now
        defer { judge(door, since: start, longest: Self.longestReading) }
        do {
            let value = try read()
            verdicts.append("\(door): read")
            return value
        } catch {
            verdicts.append("\(door): \((error as? ArchiveError)?.code.rawValue ?? "\(type(of: error))")")
            return nil
        }
    }

    private mutating func using(_ what: String, _ use: () throws -> Void) {
        let start = ProcessorTime.now
        do {
            try use()
        } catch {
            complaints.append("\(what): \(error)")
        }
        judge(what, since: start, longest: Self.longestUse)
    }

    private mutating func judge(_ what: String, since start: Double, longest: Double) {
        let seconds = ProcessorTime.now - start
        if seconds > longest {
            complaints.append("\(what) took \(seconds) s of processor time; \(longest) s are allowed")
        }
    }
}
