import CLinux
import Files
import Locking

/// Which of a loop's two threads leads: waits for what happens, and takes the turns. The other one stands in for it.
///
/// While the leader is away with what a turn brought, the stand-in takes the lead at the first thing that happens, or, in busy
/// times, when the leader stays away. So what is brought is carried out by the thread that has read it, and the loop goes on
/// however long that takes.
final class Lead: Sendable {
    /// How often the stand-in looks whether the leader is still away, while there is something to do. 1 ms: the longest that a
    /// delegate that blocks keeps the link waiting is two of these.
    private static let tickMilliseconds: Int32 = 1

    private let rules = Mutex(LeadRules())
    /// The loop's descriptor of events.
    private let events: Int32
    /// Watches that while the leader is away: once, so that the stand-in is not woken again for what it was woken for.
    private let bell: Descriptor

    /// - Parameter events: The loop's descriptor of events. It must stay open.
    init(events: Int32) throws(SystemError) {
        bell = try Descriptor(made: epoll_create1(Int32(EPOLL_CLOEXEC)), "an epoll descriptor")
        self.events = events
        var event = epoll_event()
        guard epoll_ctl(bell.number, EPOLL_CTL_ADD, events, &event) == 0 else {
            throw SystemError("watch", on: "an epoll descriptor")
        }
    }

    // MARK: - The leader

    /// Is away while a task runs.
    ///
    /// - Returns: Whether it leads on. Else the other does, or the loop has ended.
    func away(_ task: () -> Void) -> Bool {
        let mustRing = rules.withLock { $0.leave() }
        if mustRing { setBell(EPOLLIN.rawValue | EPOLLONESHOT.rawValue) }
        task()
        guard rules.withLock({ $0.comeBack() }) else { return false }
        if mustRing { setBell(EPOLLONESHOT.rawValue) }
        return true
    }

    /// The loop has ended, and its descriptor of events is ready.
    func end() {
        rules.withLock { $0.end() }
        setBell(EPOLLIN.rawValue)
    }

    // MARK: - The stand-in

    /// Waits until it leads.
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

    /// Changing what is watched fails for descriptors that are not open only.
    private func setBell(_ interest: UInt32) {
        var event = epoll_event()
        event.events = interest
        epoll_ctl(bell.number, EPOLL_CTL_MOD, events, &event)
    }
}
