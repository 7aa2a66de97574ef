import Foundation

/// A way in which a build stops its work.
enum Death: String {
    /// Two queues wait for each other.
    case queues
    /// The main queue, or the delegate's thread, waits for a lock that it holds itself.
    case lock
    /// It waits for a task of the main actor.
    case task
    /// It waits for a group that nobody leaves.
    case group
    /// It sleeps for a day.
    case sleep
    case loop
    case trap
    case require
    case abort
    /// Exits without an error.
    case exit

    func come() {
        switch self {
        case .queues: Self.waitForEachOther()
        case .lock:
            let lock = NSLock()
            lock.lock()
            lock.lock()
        case .task:
            let done = DispatchSemaphore(value: 0)
            Task { @MainActor in done.signal() }
            done.wait()
        case .group:
            let group = DispatchGroup()
            group.enter()
            group.wait()
        case .sleep: Thread.sleep(forTimeInterval: 86_400)
        case .loop: while true {}
        case .trap: preconditionFailure("the shelf is empty")
        case .require: precondition(CommandLine.arguments.isEmpty, "the shelf is empty")
        case .abort: Foundation.abort()
        case .exit: Foundation.exit(0)
        }
    }

    private static func waitForEachOther() {
        let (first, second) = (DispatchQueue(label: "books"), DispatchQueue(label: "shelves"))
        let (isFirst, isSecond) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        first.async {
            isFirst.signal()
            isSecond.wait()
            second.sync {}
        }
        second.sync {
            isFirst.wait()
            isSecond.signal()
            first.sync {}
        }
    }
}
