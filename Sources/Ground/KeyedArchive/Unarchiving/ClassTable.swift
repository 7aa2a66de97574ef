import Foundation

/// The classes of an archive, by the UIDs of their descriptions.
final class ClassTable {
    /// The data of a class, which its objects share.
    struct Known: BitwiseCopyable {
        /// The UID of its description.
        let uid: UInt32
        /// The class if it is a Foundation class that this codec reads itself.
        let valueClass: ValueClass?
        /// The class that was chosen for its objects.
        var coding: (any (NSObject & NSCoding).Type)?
        /// The references to the checked keys of one of its objects: most of its objects have the same.
        var checkedKeys = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private let document: ArchiveDocument
    private let budget: DecodingBudget
    private let known = GrowingBuffer<Known>(capacity: firstClasses)
    /// The initial capacity. 8: most archives name fewer classes.
    private static let firstClasses = 8
    /// The positions in ``known``, plus one, by UID.
    private let places: GrowingBuffer<UInt32>
    /// The names that were requested, by position; nil for others.
    @exclusivity(unchecked) private var names: [String?] = []
    /// The references to the checked keys of a class description.
    @exclusivity(unchecked) private var checkedKeys = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The classes that the caller set for this archive.
    @exclusivity(unchecked) private var chosen: [String: AnyClass] = [:]
    private let classesByName = ClassNames.shared.classes

    init(_ document: ArchiveDocument, _ budget: DecodingBudget) throws(ArchiveError) {
        self.document = document
        self.budget = budget
        try budget.take(document.count, each: MemoryLayout<UInt32>.size, offset: document.top.offset)
        places = GrowingBuffer(repeating: 0, count: document.count)
    }

    func setClass(_ cls: AnyClass?, forName name: String) { chosen[name] = cls }
    func cls(setForName name: String) -> AnyClass? { chosen[name] }

    /// Returns the class that was set for a name, for this archive or for all.
    func cls(for name: String) -> AnyClass? { chosen[name] ?? classesByName[name] }

    /// All classes that the program set for a name, for reading or for writing.
    var registered: [AnyClass] { Array(chosen.values) + ClassNames.shared.named }

    // MARK: - Classes by place

    /// Returns the position of the class of an object whose keys are not checked yet.
    @inline(__always)
    func place(ofClassOf entries: BinaryPropertyList.Entries, at index: Int) throws(ArchiveError) -> Int {
        let uid = try document.classIdentifier(of: entries, at: index)
        guard Int(uid) < places.count, places[Int(uid)] != 0 else { return try add(uid, entries, at: index) }
        return Int(places[Int(uid)]) - 1
    }

    private func add(_ uid: UInt32, _ entries: BinaryPropertyList.Entries, at index: Int) throws(ArchiveError) -> Int {
        let offset = try document.list.offset(of: index)
        try budget.take(1, each: 2 * ArchiveLimits.Nominal.object, offset: offset)
        let outline = ArchiveRecord(entries: entries, index: nil, offset: offset)
        let name = try document.className(uid, from: outline, budget, &checkedKeys)
        var valueClass: ValueClass?
        if case .asciiString(let range) = name { valueClass = ValueClass(nameAt: document.list.bytes.bytes(range)) }
        if !chosen.isEmpty || !classesByName.isEmpty, cls(for: try self.name(name)) != nil { valueClass = nil }
        known.append(Known(uid: uid, valueClass: valueClass))
        places[Int(uid)] = UInt32(known.count)
        return known.count - 1
    }

    /// Returns the class if it is a Foundation class that this codec reads itself.
    @inline(__always)
    func valueClass(_ place: Int) -> ValueClass? { known[place].valueClass }
    func uid(_ place: Int) -> UInt32 { known[place].uid }

    func name(_ place: Int) throws(ArchiveError) -> String {
        if let name = known[place].valueClass?.name { return name }
        if place < names.count, let name = names[place] { return name }
        let name = try name(try document.className(known[place].uid, from: document.top, budget, &checkedKeys))
        if names.isEmpty { names.reserveCapacity(Self.firstClasses) }
        while names.count < known.count { names.append(nil) }
        names[place] = name
        return name
    }

    private func name(_ object: BinaryPropertyList.Object) throws(ArchiveError) -> String {
        try budget.copy(object.bodyLength, offset: document.top.offset)
        return try document.list.string(object) ?? ""
    }

    func coding(_ place: Int) -> (any (NSObject & NSCoding).Type)? { known[place].coding }
    func setCoding(_ coding: any (NSObject & NSCoding).Type, _ place: Int) { known[place].coding = coding }

    /// Returns an object's checked keys: with a single comparison if the previous object of the class had the same
    /// keys.
    @inline(__always)
    func record(
        at index: Int, _ entries: BinaryPropertyList.Entries, _ place: Int
    ) throws(ArchiveError) -> ArchiveRecord {
        try document.record(at: index, entries, budget, &known[place].checkedKeys)
    }

    // MARK: - Permission

    static func isClass(_ cls: AnyClass, _ ancestor: AnyClass) -> Bool {
        cls == ancestor || (cls as? NSObject.Type)?.isSubclass(of: ancestor) == true
    }

    @inline(__always)
    static func allows(_ cls: AnyClass, _ allowed: [AnyClass]) -> Bool {
        // Nearly always it is one of them itself; checking ancestors costs much more.
        for candidate in allowed where candidate == cls { return true }
        return allowed.contains { isClass(cls, $0) }
    }
}
