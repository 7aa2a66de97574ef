/// A database file as a process and a power cut see it: transactions that are written, and then synced.
///
/// A transaction is applied to the content at once, as its process sees it. A crash keeps what was synced; of what was not,
/// each transaction in order may have reached the disk wholly, in part, or not at all. One that is there in part lacks its
/// commit record, so that recovery drops it and all behind it.
final class SimulatedDisk<Content> {
    typealias Change = (inout Content) -> Void

    /// As the process sees it.
    @exclusivity(unchecked) private(set) var content: Content
    @exclusivity(unchecked) private var synced: Content
    @exclusivity(unchecked) private var unsynced: [Change] = []
    /// What waits for it: it does one thing at a time.
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

    func sync() {
        // Done again rather than copied: two contents that share their storage would copy all of it at the next change.
        for change in unsynced { change(&synced) }
        unsynced.removeAll(keepingCapacity: true)
    }

    /// Whether an operation may begin now; else it is to wait.
    func begins() -> Bool {
        defer { isBusy = true }
        return !isBusy
    }

    func wait(_ operation: @escaping () -> Void) { operations.append(operation) }

    func enqueue(_ operation: @escaping () -> Void) { if begins() { operation() } else { wait(operation) } }

    /// An operation is over: the next one's turn.
    func next() {
        guard !operations.isEmpty else {
            isBusy = false
            return
        }
        operations.removeFirst()()
    }

    /// Forgets what waits for it, and whoever waits with it.
    func letGo() {
        unsynced.removeAll()
        operations.removeAll()
        isBusy = false
    }

    /// - Parameter survives: Whether the next unsynced transaction reached the disk wholly.
    func crash(survives: () -> Bool) {
        for change in unsynced {
            guard survives() else { break }
            change(&synced)
        }
        letGo()
        content = synced
    }
}
