/// A database file as a process and a power cut see it: transactions are written, then synced.
///
/// A transaction is applied to the content immediately, as its process sees it. A crash keeps the synced ones; each
/// unsynced one, in order, may have reached the disk completely, partly, or not at all. A partial one lacks its commit
/// record, so recovery drops it and all later ones.
final class SimulatedDisk<Content> {
    typealias Change = (inout Content) -> Void

    /// As the process sees it.
    @exclusivity(unchecked) private(set) var content: Content
    @exclusivity(unchecked) private var synced: Content
    @exclusivity(unchecked) private var unsynced: [Change] = []
    /// The waiting operations: the disk performs one at a time.
    @exclusivity(unchecked) private var operations: [() -> Void] = []
    private var isBusy = false

    init(_ content: Content) {
        self.content = content
        synced = content
    }

    @discardableResult
    func write<Result>(_ change: @escaping (inout Content) -> Result) -> Result {
        unsynced.append { _ = change(&$0) }
        return change(&content)
    }

    /// Reads in place: a getter would copy the content.
    func read<Result>(_ query: (inout Content) -> Result) -> Result { query(&content) }

    func sync() {
        // Repeated rather than copied: contents that share their storage would be copied completely at the next change.
        while !unsynced.isEmpty { unsynced.takeFirst()(&synced) }
    }

    /// Returns true if an operation may begin now; otherwise it must wait.
    func begins() -> Bool {
        defer { isBusy = true }
        return !isBusy
    }

    func wait(_ operation: @escaping () -> Void) { operations.append(operation) }

    func enqueue(_ operation: @escaping () -> Void) { if begins() { operation() } else { wait(operation) } }

    /// Ends an operation and starts the next one.
    func next() {
        guard !operations.isEmpty else {
            isBusy = false
            return
        }
        operations.takeFirst()()
    }

    /// Forgets all unsynced changes and waiting operations.
    func letGo() {
        unsynced.removeAll()
        operations.removeAll()
        isBusy = false
    }

    /// - Parameter survives: Returns true if the next unsynced transaction reached the disk completely.
    func crash(survives: () -> Bool) {
        for change in unsynced {
            guard survives() else { break }
            change(&synced)
        }
        letGo()
        content = synced
    }
}
