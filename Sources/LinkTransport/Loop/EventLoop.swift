import CLinux
import Foundation
package import LinkProtocol
import Locking

/// One thread that waits for descriptors, timers and other threads' requests, and serves them in turns.
///
/// In a turn everything that is ready is read and handled; what that produced is written once, at the turn's end. While the
/// loop sleeps, a thread that brings something may take a turn itself (``executeNow(_:)``): who has the turn is the loop.
// Proof of `@unchecked Sendable`: `inbox` is a mutex; all other state is touched by the one thread that has the turn, which
// every method that touches it asserts.
public final class EventLoop: @unchecked Sendable {
    package typealias Interest = UInt32
    package static let readable: Interest = UInt32(EPOLLIN.rawValue)
    package static let writable: Interest = UInt32(EPOLLOUT.rawValue)
    package static let hangUp: Interest = UInt32(EPOLLHUP.rawValue) | UInt32(EPOLLERR.rawValue)

    private static let edgeTriggered = EPOLLET.rawValue

    package typealias Token = UInt64
    package typealias TimerIdentifier = UInt64

    /// Events taken from the kernel at once.
    private static let batch = 256
    /// Bytes read from one descriptor at once; the buffer is the loop's, so that idle connections cost none.
    private static let readBufferBytes = 256 * 1024
    /// Room for tasks that is kept between turns.
    private static let keptTasks = 1_024
    /// Room of spare buffers. 1 MiB: what the connections of one turn write.
    private static let spareBytesKept = 1_024 * 1_024
    private static let wakeToken: Token = 0

    private struct Inbox {
        var tasks: [@Sendable () -> Void] = []
        var isStopped = false
    }

    private let poll: Descriptor
    private let wakeUp: Descriptor
    private let inbox = Mutex(Inbox())
    /// Whose turn it is: the loop's own thread has it but for the times that it sleeps.
    private let turn = Baton()
    private let threadIdentity = Mutex<pthread_t?>(nil)
    /// Until when the loop's thread sleeps if nothing happens.
    private var sleepEnd: MonotonicTime?

    /// By the lower half of their tokens, less one. Places are used again; the upper half tells whom an event was meant for.
    private var handlers: [(handler: (any EventHandler)?, generation: UInt32)] = []
    private var freePlaces: [Int] = []
    private var spareBuffers: [[UInt8]] = []
    private var spareBytes = 0
    private var timers = TimerQueue()
    private var flushes: [() -> Void] = []
    private var spareTasks: [@Sendable () -> Void] = []
    private var afterTurns: [@Sendable () -> Void] = []
    /// When this turn began. For what need not be exact: a clock is not asked for every package.
    package private(set) var now = MonotonicTime.now
    package let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readBufferBytes, alignment: 16)

    /// Starts the thread.
    public init(name: String) throws(SystemError) {
        let pollNumber = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard pollNumber >= 0 else { throw SystemError("make", on: "an epoll descriptor") }
        poll = Descriptor(pollNumber)
        let wakeNumber = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard wakeNumber >= 0 else { throw SystemError("make", on: "an event descriptor") }
        wakeUp = Descriptor(wakeNumber)
        // Each write is an event of its own, so that the counter need not be read.
        try control(EPOLL_CTL_ADD, wakeNumber, Self.readable | Self.edgeTriggered, Self.wakeToken)
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    deinit { readBuffer.deallocate() }

    // MARK: - From any thread

    /// Runs a task on the loop, in the order of the calls.
    public func execute(_ task: @escaping @Sendable () -> Void) { if add(task) { wake() } }

    /// Whether it is the first that waits: then the loop must be told.
    private func add(_ task: @escaping @Sendable () -> Void) -> Bool {
        inbox.withLock { inbox in
            inbox.tasks.append(task)
            return inbox.tasks.count == 1
        }
    }

    /// The same at once, on the calling thread, if the loop sleeps: two changes of threads less. For what somebody waits for
    /// and nothing follows soon, as each call writes by itself. The caller must hold no lock that a task may want.
    package func executeNow(_ task: @escaping @Sendable () -> Void) {
        let mustWake = add(task)
        guard turn.tryToTake() else {
            if mustWake { wake() }
            return
        }
        beginTurn()
        runTasks()
        flush()
        let mustSleepLess = timers.nextTime.map { next in sleepEnd.map { next < $0 } ?? true } ?? false
        endTurn()
        if mustSleepLess { wake() }
    }

    /// Ends the thread after the tasks that are waiting, without waiting for it. Safe on the loop itself.
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

    /// Runs a task at the end of this turn, when all that is ready has been handled.
    package func atEndOfTurn(_ task: @escaping () -> Void) {
        assert(isCurrent)
        flushes.append(task)
    }

    /// Runs a task when this turn is over, without the turn: to wake somebody who may want it for himself.
    package func afterTurn(_ task: @escaping @Sendable () -> Void) {
        assert(isCurrent)
        afterTurns.append(task)
    }

    // MARK: - The thread

    private func run() {
        turn.take()
        beginTurn()
        var events = [epoll_event](repeating: epoll_event(), count: Self.batch)
        while true {
            let milliseconds = timeout()
            endTurn()
            let count = epoll_wait(poll.number, &events, Int32(events.count), milliseconds)
            turn.take()
            beginTurn()
            for event in events.prefix(max(0, Int(count))) {
                let token = event.data.u64
                if let place = place(of: token) { handlers[place].handler?.ready(event.events) }
            }
            runTasks()
            while let task = timers.popDue(at: .now) { task() }
            flush()
            if inbox.withLock({ $0.isStopped && $0.tasks.isEmpty }) { break }
        }
        for handler in handlers { handler.handler?.loopEnded() }
        flush()
        // What is kept for later may hold the loop in turn.
        handlers.removeAll()
        timers = TimerQueue()
        endTurn()
    }

    /// The calling thread has the turn.
    private func beginTurn() {
        threadIdentity.withLock { $0 = pthread_self() }
        now = .now
    }

    private func endTurn() {
        let tasks = afterTurns
        afterTurns = []
        threadIdentity.withLock { $0 = nil }
        turn.giveBack()
        for task in tasks { task() }
    }

    private func runTasks() {
        // The two lists change places, so that neither is made anew each turn.
        var tasks = spareTasks
        spareTasks = []
        inbox.withLock { swap(&$0.tasks, &tasks) }
        for task in tasks { task() }
        tasks.removeAll(keepingCapacity: tasks.count <= Self.keptTasks)
        spareTasks = tasks
    }

    private func flush() {
        // A flush may ask for another, when closing one connection writes to a second.
        while !flushes.isEmpty {
            let tasks = flushes
            flushes.removeAll(keepingCapacity: true)
            for task in tasks { task() }
        }
    }

    /// Milliseconds until the next timer, rounded up so that it is due when the wait ends.
    private func timeout() -> Int32 {
        sleepEnd = timers.nextTime
        guard let next = sleepEnd else { return -1 }
        let nanoseconds = next.nanoseconds - MonotonicTime.now.nanoseconds
        return Int32(clamping: max(0, (nanoseconds + 999_999) / 1_000_000))
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
        event.events = interest
        event.data.u64 = token
        guard epoll_ctl(poll.number, operation, descriptor, &event) == 0 else {
            throw SystemError("watch", on: "descriptor \(descriptor)")
        }
    }
}
