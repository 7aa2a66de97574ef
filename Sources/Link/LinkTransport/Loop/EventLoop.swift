import CLinux
public import Files
import Foundation
package import LinkProtocol
import Locking

/// A thread that waits for descriptors, timers and other threads' requests, and serves them in turns.
///
/// In a turn everything that is ready is read and handled; what one descriptor's bytes produced is written at once and together,
/// so that the peer has work while the loop handles the next. While the loop sleeps, a thread that brings something may take a
/// turn itself (``executeNow(_:)``): who has the turn is the loop. A loop with a stand-in carries out what a turn brought on the
/// thread that has read it (``afterTurn(_:)``), and turns on meanwhile.
// Proof of `@unchecked Sendable`: `inbox` is a mutex; all other state is touched by the one thread that has the turn, which
// every method that touches it asserts.
public final class EventLoop: @unchecked Sendable {
    package typealias Interest = UInt32
    package static let readable: Interest = UInt32(EPOLLIN.rawValue)
    package static let writable: Interest = UInt32(EPOLLOUT.rawValue)
    package static let hangUp: Interest = UInt32(EPOLLHUP.rawValue) | UInt32(EPOLLERR.rawValue)

    /// The peer writes nothing more.
    package static let peerEnded: Interest = UInt32(EPOLLRDHUP.rawValue)

    package typealias Token = UInt64
    package typealias TimerIdentifier = UInt64

    /// Events taken from the kernel at once. 64: what comes after a turn begins sooner than with more, and finds what it needs in
    /// the processor's cache; with a thousand connections that is worth a sixth.
    private static let batch = 64
    /// Bytes read from one descriptor at once; the buffer is the loop's, so that idle connections cost none.
    private static let readBufferBytes = 256 * 1024
    /// Room for tasks that is kept between turns.
    private static let keptTasks = 1_024
    /// Room of spare buffers. 1 MiB: what the connections of one turn write.
    private static let spareBytesKept = 1_024 * 1_024
    /// Until a task runs that nobody has caught up with. 1 ms: nothing that a person or a test waits for is later by more.
    private static let nudgeDelay = Duration.milliseconds(1)
    /// Of descriptors that only wake the loop.
    private static let wakeToken: Token = 0

    private struct Inbox {
        var tasks: [@Sendable () -> Void] = []
        /// Whether the loop is awake for the tasks, or about to be.
        var isWoken = false
        /// When it is woken in any case: one nudge for all that wait for it, whether somebody catches up with them or not.
        var nudgeTime: MonotonicTime?
        var isStopped = false

        /// - Returns: Whether the loop must be woken.
        mutating func add(_ task: @escaping @Sendable () -> Void) -> Bool {
            tasks.append(task)
            return wake()
        }

        /// - Returns: Whether it must be, and was not already.
        mutating func wake() -> Bool {
            defer { isWoken = true }
            return !isWoken
        }

        /// The same for a task that need not run at once.
        ///
        /// - Returns: When the loop must be nudged, if nothing wakes it before.
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
    /// Whose turn it is: the thread that leads has it but for the times that it sleeps or is away.
    private let turn = Baton()
    private let threadIdentity = Mutex<pthread_t?>(nil)
    private let lead: Lead?
    private let alarm: Descriptor
    /// Wakes the loop for tasks that need not be run at once.
    private let nudge: Descriptor
    /// When the alarm wakes the loop.
    private var alarmTime: MonotonicTime?

    /// By the lower half of their tokens, less one. Places are used again; the upper half tells whom an event was meant for.
    private var handlers: [(handler: (any EventHandler)?, generation: UInt32)] = []
    private var freePlaces: [Int] = []
    private var spareBuffers: [[UInt8]] = []
    private var spareBytes = 0
    private var timers = TimerQueue()
    private let writes = TaskList()
    private let endings = TaskList()
    private var spareTasks: [@Sendable () -> Void] = []
    private var afterTurns: [@Sendable () -> Void] = []
    /// When this turn began. For what need not be exact: a clock is not asked for every package.
    package private(set) var now = MonotonicTime.now
    package let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readBufferBytes, alignment: 16)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's, of up to 14 letters: the system shows 15, and the second thread has one more.
    ///   - hasStandIn: Whether there is a second one, which goes on while the first does what comes after a turn.
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

    /// The same within a millisecond, for a caller that will ``catchUp()`` before: should it not come to that, the task runs
    /// all the same.
    package func executeSoon(_ task: @escaping @Sendable () -> Void) {
        // The clock is asked and the timer set under the lock: a nudge that is relied on is still to come.
        inbox.withLock { inbox in
            if let time = inbox.add(task, soonAfter: .now) { Self.set(nudge, to: time) }
        }
    }

    /// The same at once, on the calling thread, if the loop sleeps: two changes of threads less. For what somebody waits for
    /// and nothing follows soon, as each call writes by itself. The caller must hold no lock that a task may want.
    package func executeNow(_ task: @escaping @Sendable () -> Void) {
        turnNow(mustWake: inbox.withLock { $0.add(task) })
    }

    /// Runs what waits at once, on the calling thread, if the loop sleeps; else the loop does, as soon as it can.
    package func catchUp() {
        let mustWake = inbox.withLock { $0.tasks.isEmpty ? nil : $0.wake() }
        if let mustWake { turnNow(mustWake: mustWake) }
    }

    private func turnNow(mustWake: Bool) {
        guard turn.tryToTake() else {
            if mustWake { wake() }
            return
        }
        beginTurn()
        runTasks()
        finishTurn()
        let isDone = afterTurns.isEmpty
        endTurn()
        // What comes after a turn is for the loop's own threads.
        if !isDone { wake() }
    }

    /// Ends the loop after the tasks that are waiting, without waiting for it. Safe on the loop itself.
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

    /// The descriptor is about to be closed, which also ends the kernel's interest in it.
    package func forget(_ token: Token) {
        assert(isCurrent)
        guard let place = place(of: token), handlers[place].handler != nil else { return }
        handlers[place].handler = nil
        freePlaces.append(place)
    }

    /// An empty buffer, mostly one that was given back: connections that have nothing to write have none.
    package func takeBuffer() -> [UInt8] {
        guard let buffer = spareBuffers.popLast() else { return [] }
        spareBytes -= buffer.capacity
        return buffer
    }

    /// Takes a buffer's room; it is empty afterwards.
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

    /// Runs a task when what is being handled now is done: the bytes of a descriptor, or what other threads want.
    package func afterHandling(_ task: @escaping () -> Void) {
        assert(isCurrent)
        writes.add(task)
    }

    /// Runs a task at the end of this turn, when all that is ready has been handled.
    package func atEndOfTurn(_ task: @escaping () -> Void) {
        assert(isCurrent)
        endings.add(task)
    }

    /// Runs a task on the loop's thread when this turn is over, and without it: the task may take turns for itself. It should
    /// be short. If it is not, the stand-in, which there must be, leads the loop after two milliseconds at most.
    package func afterTurn(_ task: @escaping @Sendable () -> Void) {
        assert(isCurrent && lead != nil)
        afterTurns.append(task)
    }

    // MARK: - The threads

    /// Leads the loop, and stands in for who leads it then, until it ends.
    private func serve() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.batch)
        var lookout = LookoutRules()
        while true {
            let count = wait(&events, &lookout)
            turn.take()
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

    /// Waits until something happens.
    private func wait(_ events: inout [epoll_event], _ rules: inout LookoutRules) -> Int {
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
            // Whoever has something to do, the peer perhaps, goes first.
            sched_yield()
        }
        let count = epoll_wait(poll.number, &events, Int32(events.count), -1)
        rules.paused(.now - began, inVain: looksOut)
        return Int(count)
    }

    /// - Returns: Whether the calling thread leads, in the end; else the loop has ended.
    private func goOn(after tasks: [@Sendable () -> Void]) -> Bool {
        guard let lead, !tasks.isEmpty else { return true }
        let leadsOn = lead.away { for task in tasks { task() } }
        return leadsOn || lead.wait()
    }

    /// The last turn.
    private func end() {
        for handler in handlers { handler.handler?.loopEnded() }
        finishTurn()
        // What is kept for later may hold the loop in turn.
        handlers.removeAll()
        afterTurns.removeAll()
        timers = TimerQueue()
        endTurn()
        wake()
        lead?.end()
    }

    /// The calling thread has the turn.
    private func beginTurn() {
        threadIdentity.withLock { $0 = pthread_self() }
        now = .now
        if let time = alarmTime, time <= now { alarmTime = nil }
    }

    private func endTurn() {
        if let next = timers.nextTime, alarmTime.map({ next < $0 }) ?? true { setAlarm(next) }
        threadIdentity.withLock { $0 = nil }
        turn.giveBack()
    }

    private func runTasks() {
        // The two lists change places, so that neither is made anew each turn.
        var tasks = spareTasks
        spareTasks = []
        inbox.withLock { $0.take(into: &tasks) }
        for task in tasks { task() }
        tasks.removeAll(keepingCapacity: tasks.count <= Self.keptTasks)
        spareTasks = tasks
    }

    private func finishTurn() {
        // Closing a connection, after its last write, may ask for more.
        repeat {
            endings.runAll()
            writes.runAll()
        } while !endings.isEmpty
    }

    /// It stays set for the earliest time that was asked for: one that is cancelled costs a wake-up at most.
    private func setAlarm(_ time: MonotonicTime) {
        alarmTime = time
        Self.set(alarm, to: time)
    }

    private static func set(_ timer: borrowing Descriptor, to time: MonotonicTime) {
        // Zero would turn it off.
        let (seconds, nanoseconds) = max(1, time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        var setting = itimerspec()
        setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
        timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    private func wake() {
        var one: UInt64 = 1
        // Fails only when the counter is full, after more writes than there will be.
        _ = write(wakeUp.number, &one, MemoryLayout<UInt64>.size)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ token: Token
    ) throws(SystemError) {
        var event = epoll_event()
        // Who is told that something is ready deals with all of it. Else two threads would be told of one thing.
        event.events = interest | EPOLLET.rawValue
        event.data.u64 = token
        guard epoll_ctl(poll.number, operation, descriptor, &event) == 0 else {
            throw SystemError("watch", on: "descriptor \(descriptor)")
        }
    }
}
