import Foundation
import KeyedArchive

/// Tests an archive with every entry point of the codec, and the results with every operation that clients may use.
struct Doors {
    /// The result of each entry point, as text: the same in every process.
    private(set) var verdicts: [String] = []
    /// The failures: excessive costs, and archives that were written but cannot be read.
    private(set) var complaints: [String] = []

    /// The maximum processor time per archive and entry point, in seconds. 0.25: archives of a few KiB take a hundredth
    /// of it; the rest allows for other programs that share the processor.
    private static let longestReading = 0.25
    /// The maximum processor time per operation on a decoded object, in seconds. 5: Foundation copies collections
    /// repeatedly, so that some operations take one or two.
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

    // MARK: - Entry points

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
                throw Complaint("a plain tree changed when it was written and read")
            }
        }
        guard let tree = reading("tree", { try PropertyListValue(archive: archive) }) else { return }
        using("a tree") {
            let written = try tree.archivedData()
            let again = try PropertyListValue(archive: written)
            guard try again.archivedData() == written else {
                throw Complaint("a tree changed when it was archived and read")
            }
            // Null is not a property-list value, so this may fail.
            _ = try? PropertyListValue(object: tree.object)
            _ = tree == again
        }
    }

    private mutating func tryCodable<Value: Decodable>(_ archive: Data, _ type: Value.Type) {
        _ = reading("\(type)") { try KeyedArchiveDecoder().decode(type, from: archive) }
    }

    // MARK: - Operations on objects

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
        using("bridging an object to a Swift collection") { Self.bridge(object) }
        using("archiving an object again") {
            let written = try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
            do {
                guard try KeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: written) != nil else {
                    throw Complaint("an object that was archived again reads as nil")
                }
            } catch let error as ArchiveError where error.code == .limitExceeded && error.detail.contains("one hash") {
                // That limit depends on the length of the archive, and equal values are written once.
            }
        }
        using("converting an object to a tree") {
            guard let tree = try? PropertyListValue(object: object) else { return }
            _ = try tree.archivedData()
        }
    }

    /// Bridges a Foundation collection to Swift's.
    private static func bridge(_ object: NSObject) {
        _ = (object as? [Any])?.count
        _ = (object as? [AnyHashable: Any])?.count
        _ = (object as? [String: Any])?.count
        _ = (object as? Set<AnyHashable>)?.count
        _ = (object as? NSOrderedSet)?.count { _ in true }
    }

    // MARK: - Results

    /// An unexpected result.
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
