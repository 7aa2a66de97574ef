import CLinux
import Files
import Locking

/// The choice of the leader among a loop's two threads. The leader waits for events and takes the turns; the other
/// thread stands in for it.
///
/// While the leader is away running the tasks of a turn, the stand-in takes the lead at the first event, or, under
/// load, if the leader stays away. Input is therefore processed by the thread that has read it, and the loop continues
/// however long that takes.
final class Lead: Sendable {
    /// The interval at which the stand-in checks, under load, whether the leader is still away. 1 ms: a delegate that
    /// blocks delays the link by at most two of these.
    private static let tickMilliseconds: Int32 = 1

    private let rules = Mutex(LeadRules())
    /// The loop's epoll descriptor.
    private let events: Int32
    /// Polls `events` while the leader is away. One-shot, so that the stand-in is not woken twice for the same event.
    private let bell: Descriptor

    /// Creates the state of a loop whose first thread leads.
    ///
    /// - Parameter events: The loop's epoll descriptor, which must stay open.
    /// - Throws: `SystemError` if an epoll descriptor cannot be created.
    init(events: Int32) throws(SystemError) {
        bell = try Descriptor(made: epoll_create1(Int32(EPOLL_CLOEXEC)), "an epoll descriptor")
        self.events = events
        var event = epoll_event()
        guard epoll_ctl(bell.number, EPOLL_CTL_ADD, events, &event) == 0 else {
            throw SystemError("watch", on: "an epoll descriptor")
        }
    }

    // MARK: - The leader

    /// Runs a task while the leader is away.
    ///
    /// - Returns: True if the calling thread still leads; false if the other thread leads or the loop has ended.
    func away(_ task: () -> Void) -> Bool {
        let mustRing = rules.withLock { $0.leave() }
        if mustRing { setBell(EPOLLIN.rawValue | EPOLLONESHOT.rawValue) }
        task()
        guard rules.withLock({ $0.comeBack() }) else { return false }
        if mustRing { setBell(EPOLLONESHOT.rawValue) }
        return true
    }

    /// Ends the loop. Its epoll descriptor must be ready.
    func end() {
        rules.withLock { $0.end() }
        setBell(EPOLLIN.rawValue)
    }

    // MARK: - The stand-in

    /// Waits until the calling thread leads.
    ///
    /// - Returns: False if the loop has ended.
    func wait() -> Bool {
        var event = epoll_event()
        var verdict = rules.withLock { $0.beginToWait() }
        while case .waits(let isTicking) = verdict {
            let count = epoll_wait(bell.number, &event, 1, isTicking ? Self.tickMilliseconds : -1)
            verdict = rules.withLock { rules in count == 0 ? rules.ticked() : rules.bellRang() }
        }
        return verdict == .leads
    }

    /// epoll_ctl(EPOLL_CTL_MOD) fails only for closed descriptors.
    private func setBell(_ interest: UInt32) {
        var event = epoll_event()
        event.events = interest
        epoll_ctl(bell.number, EPOLL_CTL_MOD, events, &event)
    }
}
