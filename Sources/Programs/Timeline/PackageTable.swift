/// The packages of a timeline that is being assembled, each in a slot in which it is changed: a package is large, and
/// copied neither for a change nor for a look at it.
struct PackageTable {
    /// The number of oldest packages searched for a finished one. 64: a window of packages in flight.
    private static let finishedSearchLimit = 64

    /// A ring in order of appearance: a new package takes the slot of the one that it displaces, and an unfinished
    /// package that was passed over counts as new.
    private(set) var packages: [TimelinePackage] = []
    private var slots: [String: Int] = [:]
    /// The slot of the oldest package, once all are taken.
    private var oldest = 0
    private let capacity: Int

    /// - Parameter capacity: The most packages; more drop the oldest finished one, or the oldest of all if many are
    ///   unfinished.
    init(capacity: Int) { self.capacity = capacity }

    func contains(_ identifier: String) -> Bool { slots[identifier] != nil }

    /// A package in its slot, to be changed there.
    subscript(slot: Int) -> TimelinePackage {
        _read { yield packages[slot] }
        _modify { yield &packages[slot] }
    }

    /// Returns the slot of a package; a new one first takes one.
    ///
    /// - Parameter kind: The kind of a new package.
    /// - Returns: The slot, and the package that a new one displaced.
    mutating func slot(of identifier: String, kind: String) -> (slot: Int, dropped: TimelinePackage?) {
        if let slot = slots[identifier] { return (slot, nil) }
        var package = TimelinePackage(identifier, kind: kind)
        guard packages.count >= capacity else {
            slots[identifier] = packages.count
            packages.append(package)
            return (packages.count - 1, nil)
        }
        let slot = slotToFree()
        oldest = after(slot)
        swap(&packages[slot], &package)
        slots[package.identifier] = nil
        slots[identifier] = slot
        return (slot, package)
    }

    private func slotToFree() -> Int {
        var slot = oldest
        for _ in 0..<min(Self.finishedSearchLimit, packages.count) {
            if packages[slot].status.isFinal { return slot }
            slot = after(slot)
        }
        return oldest
    }

    private func after(_ slot: Int) -> Int { slot + 1 == packages.count ? 0 : slot + 1 }
}
