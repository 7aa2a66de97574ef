import CLinux
public import Files
import Foundation
package import LinkProtocol
import Locking

/// A thread that waits for descriptors, timers and tasks of other threads, and handles them in turns.
///
/// A turn reads and handles everything that is ready. The output caused by one descriptor's input is written together
/// and immediately, so that the peer can work while the loop handles the next descriptor. While the loop sleeps,
/// another thread may take a turn itself (``executeNow(_:)``): the thread that has the turn acts as the loop. A loop
/// with a stand-in thread runs the tasks that follow a turn (``afterTurn(_:)``) on the thread that has read their
/// input, and continues with the next turn in the meantime.
// Proof of `@unchecked Sendable`: `inbox` is a mutex; all other state is confined to the thread that has the turn, as
// every method that touches it asserts.
public final class EventLoop: @unchecked Sendable {
    package typealias Interest = UInt32
    package static let readable: Interest = UInt32(EPOLLIN.rawValue)
    package static let writable: Interest = UInt32(EPOLLOUT.rawValue)
    package static let hangUp: Interest = UInt32(EPOLLHUP.rawValue) | UInt32(EPOLLERR.rawValue)

    /// The peer has shut down its writing side.
    package static let peerEnded: Interest = UInt32(EPOLLRDHUP.rawValue)

    package typealias Token = UInt64
    package typealias TimerIdentifier = UInt64

    /// The most events fetched per system call. 64: packages are handled sooner than with larger batches, and find
    /// their data in the processor's cache, which saves a sixth of the time with a thousand connections.
    private static let batch = 64
    /// The bytes read from a descriptor per call. The buffer belongs to the loop, so idle connections need none.
    private static let readBufferBytes = 256 * 1024
    /// The capacity of the task list kept between turns.
    private static let keptTasks = 1_024
    /// The capacity of spare buffers. 1 MiB: the output of all connections in one turn.
    private static let spareBytesKept = 1_024 * 1_024
    /// The delay of a deferred task unless the loop runs earlier. 1 ms: negligible for a person or a test.
    private static let nudgeDelay = Duration.milliseconds(1)
    /// The time by which an alarm may come too early. 1 s: a busy loop then sets it at most once a second more, and a loop at
    /// rest is not woken in vain.
    private static let earlyAlarm = Duration.seconds(1)
    /// The token of descriptors that only wake the loop.
    private static let wakeToken: Token = 0

    private struct Inbox {
        var tasks: [@Sendable () -> Void] = []
        /// True if the loop is awake for the tasks, or has been woken.
        var isWoken = false
        /// The time for which the nudge timer is set: one nudge serves all deferred tasks, even if they have already
        /// run.
        var nudgeTime: MonotonicTime?
        var isStopped = false

        /// Adds a task.
        ///
        /// - Returns: True if the loop must be woken.
        mutating func add(_ task: @escaping @Sendable () -> Void) -> Bool {
            tasks.append(task)
            return wake()
        }

        /// Marks the loop as woken.
        ///
        /// - Returns: True if it was not marked before, so that the caller must wake it.
        mutating func wake() -> Bool {
            defer { isWoken = true }
            return !isWoken
        }

        /// Adds a deferred task.
        ///
        /// - Returns: The time for which the nudge timer must be set; nil if the loop will run before.
        mutating func add(_ task: @escaping @Sendable () -> Void, soonAfter time: MonotonicTime) -> MonotonicTime? {
            tasks.append(task)
            if isWoken { return nil }
            if let nudgeTime, time < nudgeTime { return nil }
            nudgeTime = time + EventLoop.nudgeDelay
            return nudgeTime
        }

        mutating func take(into room: inout [@Sendable () -> Void]) {
            swap(&tasks, &room)
            isWoken = false
        }
    }

    private let poll: Descriptor
    private let wakeUp: Descriptor
    private let inbox = Mutex(Inbox())
    /// Grants the turn: the leading thread has it except while it sleeps or is away.
    private let turn = ManualLock()
    private let threadIdentity = Mutex<pthread_t?>(nil)
    private let lead: Lead?
    private let alarm: Descriptor
    /// The timer that wakes the loop for deferred tasks.
    private let nudge: Descriptor
    /// The time for which the alarm is set.
    private(set) var alarmTime: MonotonicTime?

    /// Indexed by the lower half of their tokens minus one. Slots are reused; the upper half is the generation of a
    /// slot, which identifies stale events.
    private var handlers: [(handler: (any EventHandler)?, generation: UInt32)] = []
    private var freePlaces: [Int] = []
    private var spareBuffers: [[UInt8]] = []
    private var spareBytes = 0
    private var timers = TimerQueue()
    private let writes = TaskList()
    private let endings = TaskList()
    private var spareTasks: [@Sendable () -> Void] = []
    private var afterTurns: [@Sendable () -> Void] = []
    /// The start of the current turn, for uses that need no exact time: saves reading the clock for every package.
    package private(set) var now = MonotonicTime.now
    package let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readBufferBytes, alignment: 16)

    /// Creates the loop and starts its threads.
    ///
    /// - Parameters:
    ///   - name: The thread's name, of up to 14 characters: the system shows 15, and the stand-in's name has one more.
    ///   - hasStandIn: True to start a second thread, which takes over while the first runs tasks after a turn.
    /// - Throws: `SystemError` if a descriptor cannot be created.
    public init(name: String, hasStandIn: Bool = false) throws(SystemError) {
        poll = try Descriptor(made: epoll_create1(Int32(EPOLL_CLOEXEC)), "an epoll descriptor")
        wakeUp = try Descriptor(
            made: eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)), "an event descriptor")
        alarm = try Self.timer()
        nudge = try Self.timer()
        lead = hasStandIn ? try Lead(events: poll.number) : nil
        for number in [wakeUp.number, alarm.number, nudge.number] {
            try control(EPOLL_CTL_ADD, number, Self.readable, Self.wakeToken)
        }
        start(name) { [self] in serve() }
        if let lead { start("\(name)2") { [self] in if lead.wait() { serve() } } }
    }

    private static func timer() throws(SystemError) -> Descriptor {
        try Descriptor(
            made: timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)), "a timer's descriptor")
    }

    private func start(_ name: String, _ run: @escaping @Sendable () -> Void) {
        Thread.detach(named: name) {
            watchlink_nap_precisely()
            run()
        }
    }

    deinit { readBuffer.deallocate() }

    // MARK: - From any thread

    /// Runs a task on the loop, in the order of the calls.
    public func execute(_ task: @escaping @Sendable () -> Void) {
        if inbox.withLock({ $0.add(task) }) { wake() }
    }

    /// Runs a task on the loop within a millisecond. The caller intends to call ``catchUp()`` earlier; if it does not,
    /// the task runs nevertheless.
    package func executeSoon(_ task: @escaping @Sendable () -> Void) {
        // Read the clock and set the timer under the lock, so that a nudge that others rely on cannot have fired yet.
        inbox.withLock { inbox in
            if let time = inbox.add(task, soonAfter: .now) { Self.set(nudge, to: time) }
        }
    }

    /// Runs a task immediately on the calling thread if the loop sleeps, which saves two thread switches; otherwise on
    /// the loop. For single urgent tasks, as the output of each call is written separately. The caller must not hold a
    /// lock that a task may need.
    package func executeNow(_ task: @escaping @Sendable () -> Void) {
        turnNow(mustWake: inbox.withLock { $0.add(task) })
    }

    /// Runs waiting tasks immediately on the calling thread if the loop sleeps; otherwise wakes the loop.
    package func catchUp() {
        let mustWake = inbox.withLock { $0.tasks.isEmpty ? nil : $0.wake() }
        if let mustWake { turnNow(mustWake: mustWake) }
    }

    private func turnNow(mustWake: Bool) {
        guard turn.tryLock() else {
            if mustWake { wake() }
            return
        }
        beginTurn()
        runTasks()
        finishTurn()
        let isDone = afterTurns.isEmpty
        endTurn()
        // Tasks that follow a turn run only on the loop's own threads.
        if !isDone { wake() }
    }

    /// Requests the end of the loop after all waiting tasks, and returns immediately. Safe on the loop itself.
    package func stopLater() {
        inbox.withLock { $0.isStopped = true }
        wake()
    }

    package var isCurrent: Bool {
        threadIdentity.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    // MARK: - On the loop

    package func watch(
        _ descriptor: Int32, _ interest: Interest, _ handler: any EventHandler
    ) throws(SystemError) -> Token {
        assert(isCurrent)
        let place = freePlaces.last ?? handlers.count
        let generation = place < handlers.count ? handlers[place].generation &+ 1 : 0
        let token = Token(generation) << 32 | Token(place + 1)
        try control(EPOLL_CTL_ADD, descriptor, interest, token)
        if place == handlers.count {
            handlers.append((handler, generation))
        } else {
            freePlaces.removeLast()
            handlers[place] = (handler, generation)
        }
        return token
    }

    private func place(of token: Token) -> Int? {
        let place = Int(token & 0xFFFF_FFFF) - 1
        guard handlers.indices.contains(place), Token(handlers[place].generation) == token >> 32 else { return nil }
        return place
    }

    package func change(_ token: Token, _ descriptor: Int32, _ interest: Interest) throws(SystemError) {
        assert(isCurrent)
        try control(EPOLL_CTL_MOD, descriptor, interest, token)
    }

    /// Removes the handler of a descriptor that is about to be closed, which also ends the kernel's notifications.
    package func forget(_ token: Token) {
        assert(isCurrent)
        guard let place = place(of: token), handlers[place].handler != nil else { return }
        handlers[place].handler = nil
        freePlaces.append(place)
    }

    /// Returns an empty buffer, usually a reused one: connections without pending output have none.
    package func takeBuffer() -> [UInt8] {
        guard let buffer = spareBuffers.popLast() else { return [] }
        spareBytes -= buffer.capacity
        return buffer
    }

    /// Takes back a buffer's storage; the buffer is empty afterwards.
    package func giveBack(_ buffer: inout [UInt8]) {
        assert(isCurrent)
        var spare: [UInt8] = []
        swap(&spare, &buffer)
        guard spareBytes + spare.capacity <= Self.spareBytesKept else { return }
        spare.removeAll(keepingCapacity: true)
        spareBytes += spare.capacity
        spareBuffers.append(spare)
    }

    package func schedule(at time: MonotonicTime, _ task: @escaping () -> Void) -> TimerIdentifier {
        assert(isCurrent)
        return timers.add(at: time, task)
    }

    package func cancel(_ timer: TimerIdentifier) {
        assert(isCurrent)
        timers.cancel(timer)
    }

    /// Runs a task when the current input has been handled: that of one descriptor, or the tasks of other threads.
    package func afterHandling(_ task: @escaping () -> Void) {
        assert(isCurrent)
        writes.add(task)
    }

    /// Writes what waits for the end of the current input if it is the output of many descriptors. A long task of another thread
    /// calls this between its parts: otherwise the output of thousands of descriptors would be in memory at the same time.
    package func writeIfMany() {
        assert(isCurrent)
        if writes.count >= Self.batch { writes.runAll() }
    }

    /// Runs a task at the end of this turn, when everything that is ready has been handled.
    package func atEndOfTurn(_ task: @escaping () -> Void) {
        assert(isCurrent)
        endings.add(task)
    }

    /// Runs a task on the loop's thread after this turn and outside of it, so that the task may take turns itself. It
    /// should be short; otherwise the stand-in thread, which must exist, takes over the loop within two milliseconds.
    package func afterTurn(_ task: @escaping @Sendable () -> Void) {
        assert(isCurrent && lead != nil)
        afterTurns.append(task)
    }

    // MARK: - The threads

    /// Alternates between leading the loop and standing in for the leader, until the loop ends.
    private func serve() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.batch)
        var polling = PollingPolicy()
        while true {
            let count = wait(&events, &polling)
            turn.lock()
            beginTurn()
            for event in events.prefix(max(0, count)) {
                let token = event.data.u64
                if let place = place(of: token) { handlers[place].handler?.ready(event.events) }
                writes.runAll()
            }
            runTasks()
            while let task = timers.popDue(at: .now) { task() }
            finishTurn()
            if inbox.withLock({ $0.isStopped && $0.tasks.isEmpty }) { return end() }
            let tasks = afterTurns
            afterTurns = []
            endTurn()
            guard goOn(after: tasks) else { return }
        }
    }

    /// Waits for events.
    private func wait(_ events: inout [epoll_event], _ rules: inout PollingPolicy) -> Int {
        let began = MonotonicTime.now
        if let nap = rules.nap { watchlink_nap(poll.number, Int(nap.wholeNanoseconds)) }
        var looksOut = false
        while rules.looksOn(after: .now - began) {
            looksOut = true
            let count = epoll_wait(poll.number, &events, Int32(events.count), 0)
            guard count == 0 else {
                rules.paused(.now - began, inVain: false)
                return Int(count)
            }
            // Other threads or processes that have work, possibly the peer, run first.
            sched_yield()
        }
        let count = epoll_wait(poll.number, &events, Int32(events.count), -1)
        rules.paused(.now - began, inVain: looksOut)
        return Int(count)
    }

    /// Runs tasks after a turn.
    ///
    /// - Returns: True if the calling thread leads afterwards; false if the loop has ended.
    private func goOn(after tasks: [@Sendable () -> Void]) -> Bool {
        guard let lead, !tasks.isEmpty else { return true }
        let leadsOn = lead.away { for task in tasks { task() } }
        return leadsOn || lead.wait()
    }

    /// Runs the last turn.
    private func end() {
        for handler in handlers { handler.handler?.loopEnded() }
        finishTurn()
        // Handlers, tasks and timers may retain the loop.
        handlers.removeAll()
        afterTurns.removeAll()
        timers = TimerQueue()
        endTurn()
        wake()
        lead?.end()
    }

    /// Begins a turn on the calling thread.
    private func beginTurn() {
        threadIdentity.withLock { $0 = pthread_self() }
        now = .now
        if let time = alarmTime, time <= now { alarmTime = nil }
    }

    private func endTurn() {
        if let next = timers.nextTime, alarmTime.map({ Self.mustMove($0, to: next) }) ?? true { setAlarm(next) }
        threadIdentity.withLock { $0 = nil }
        turn.unlock()
    }

    private func runTasks() {
        // The two lists are swapped, so that neither is allocated each turn.
        var tasks = spareTasks
        spareTasks = []
        inbox.withLock { $0.take(into: &tasks) }
        for task in tasks { task() }
        tasks.removeAll(keepingCapacity: tasks.count <= Self.keptTasks)
        spareTasks = tasks
    }

    private func finishTurn() {
        // Closing a connection after its last write may add more tasks.
        repeat {
            endings.runAll()
            writes.runAll()
        } while !endings.isEmpty
    }

    /// Returns true if an alarm or a timer would be too late for a time, or wake the loop in vain much too early.
    static func mustMove(_ alarm: MonotonicTime, to time: MonotonicTime) -> Bool {
        time < alarm || time - alarm >= earlyAlarm
    }

    /// Sets the alarm. Cancelled timers do not reset it to a time that is a little later, which costs one wake-up at most.
    private func setAlarm(_ time: MonotonicTime) {
        alarmTime = time
        Self.set(alarm, to: time)
    }

    private static func set(_ timer: borrowing Descriptor, to time: MonotonicTime) {
        // Zero would disable the timer.
        let (seconds, nanoseconds) = max(1, time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        var setting = itimerspec()
        setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
        timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    private func wake() {
        var one: UInt64 = 1
        // Fails only if the counter overflows, which would take 2⁶⁴ writes.
        _ = write(wakeUp.number, &one, MemoryLayout<UInt64>.size)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ token: Token
    ) throws(SystemError) {
        var event = epoll_event()
        // Edge-triggered: the notified thread handles everything. Otherwise two threads could be notified of one event.
        event.events = interest | EPOLLET.rawValue
        event.data.u64 = token
        guard epoll_ctl(poll.number, operation, descriptor, &event) == 0 else {
            throw SystemError("watch", on: "descriptor \(descriptor)")
        }
    }
}
