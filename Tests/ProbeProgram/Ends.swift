import CProbe
import CVirtualTime
import Foundation

extension Construct {
    /// Worlds that end by themselves.
    static let ends = [
        Construct("trap") {
            DispatchQueue.global().asyncAfter(deadline: .now() + 5) { trace("\(element(ofNone: [], at: 3))") }
        },
        Construct("overflow") { trace("\(next(to: UInt8.random(in: 255...255)))") },
        Construct("deadlock") {
            trace("waits")
            DispatchSemaphore(value: 0).wait()
        },
        Construct("idle") { DispatchQueue.main.async { trace("runs") } },
        Construct("deadlock-with-attendant") {
            let (attends, work) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                virtual_time_attend()
                attends.signal()
                work.wait()
            }
            attends.wait()
            Thread.detachNewThread { work.wait() }
            DispatchSemaphore(value: 0).wait()
        },
        Construct("deadlock-of-locks") {
            let first = NSLock()
            let second = NSLock()
            for (mine, other) in [(first, second), (second, first)] {
                Thread.detachNewThread {
                    mine.lock()
                    Thread.sleep(forTimeInterval: 1)
                    other.lock()
                }
            }
        },
        Construct("deadlock-of-queues") {
            let first = DispatchQueue(label: "first")
            let second = DispatchQueue(label: "second")
            for (mine, other) in [(first, second), (second, first)] {
                mine.async {
                    Thread.sleep(forTimeInterval: 1)
                    other.sync {}
                }
            }
        },
        Construct("deadlock-of-main-queue") {
            let lock = NSLock()
            DispatchQueue.global().async {
                lock.lock()
                Thread.sleep(forTimeInterval: 1)
                DispatchQueue.main.sync {}
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { lock.lock() }
        },
        Construct("deadlock-of-initializers") {
            DispatchQueue.global().async { trace(First.name) }
            DispatchQueue.global().async { trace(Second.name) }
        },
        Construct("waits-of-queues") { waitsOfQueues() },
        Construct("deadlock-with-pool") {
            let queue = DispatchQueue(label: "queue")
            DispatchQueue.global().async { queue.async { DispatchSemaphore(value: 0).wait() } }
            DispatchSemaphore(value: 0).wait()
        },
        Construct("main-thread-waits-for-itself") {
            beBusyElsewhere()
            let semaphore = DispatchSemaphore(value: 0)
            Task { semaphore.signal() }
            semaphore.wait()
        },
        Construct("main-thread-waits-for-a-callback") {
            beBusyElsewhere()
            DispatchQueue.main.async {
                let semaphore = DispatchSemaphore(value: 0)
                DispatchQueue.global().asyncAfter(deadline: .now() + 5) {
                    DispatchQueue.main.async { semaphore.signal() }
                }
                semaphore.wait()
            }
        },
        Construct("main-thread-waits-for-its-timer") {
            beBusyElsewhere()
            _ = Timer.scheduledTimer(withTimeInterval: 7, repeats: false) { _ in
                let semaphore = DispatchSemaphore(value: 0)
                _ = Timer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in semaphore.signal() }
                semaphore.wait()
            }
        },
        Construct("main-thread-freezes") {
            beBusyElsewhere()
            DispatchQueue.main.asyncAfter(deadline: .now() + 5) { DispatchSemaphore(value: 0).wait() }
        },
        Construct("main-thread-keeps-its-program-alive") {
            beBusyElsewhere()
            RunLoop.main.run(until: Date() + 5)
            let end = DispatchSemaphore(value: 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + 600) { finish() }
            end.wait()
        },
        Construct("lazy-constant-needs-itself") {
            beBusyElsewhere()
            trace("\(Itself.value)")
        },
        Construct("endless-retries") {
            // Each takes some time, as a message that fails at once.
            nonisolated(unsafe) var again: @Sendable () -> Void = {}
            let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
            again = { one.asyncAfter(deadline: .now() + .microseconds(40)) { other.async { again() } } }
            again()
        },
        Construct("main-thread-waits-for-others") {
            beBusyElsewhere()
            let semaphore = DispatchSemaphore(value: 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + 60) { semaphore.signal() }
            semaphore.wait()
            trace("a minute without work")
            DispatchQueue.main.async { trace("work") }
            DispatchQueue.global().asyncAfter(deadline: .now() + 9) { semaphore.signal() }
            semaphore.wait()
            trace("9 s with work")
            DispatchQueue.global().asyncAfter(deadline: .now() + 9) { semaphore.signal() }
            semaphore.wait()
            trace("9 s more, in another wait")
            let end = DispatchTime.now() + 60
            while semaphore.wait(timeout: end) == .success {}
            trace("60 s, in a wait that ends")
            DispatchQueue.main.async { finish() }
        },
        Construct("going-on-for-ever") {
            // Others could run in between, and do now and then.
            @Sendable func goOn() {
                let lock = NSLock()
                while true { lock.withLock {} }
            }
            Thread.detachNewThread { goOn() }
            goOn()
        },
        Construct("time-zone") {
            let time = Calendar.current.dateComponents([.hour, .minute], from: .now)
            let text = "\(TimeZone.current.identifier), \(time.hour ?? -1):\(time.minute ?? -1)\n"
            FileHandle.standardOutput.write(Data(text.utf8))
        },
        Construct("calling-for-ever") {
            let lock = NSLock()
            while true { lock.withLock {} }
        },
        Construct("cancellation") { probe_cancellation() },
        Construct("uncontrolled") {
            // A lock of glibc's own, which no program can stand before.
            guard let opened = fopen("/dev/null", "r") else { return }
            nonisolated(unsafe) let file = opened  // It locks itself.
            Thread.detachNewThread {
                flockfile(file)
                Thread.sleep(forTimeInterval: 100)
                funlockfile(file)
            }
            Thread.sleep(forTimeInterval: 1)
            flockfile(file)
        },
        Construct("spinning") {
            var number: UInt64 = 1
            while number != 0 { number = (number &* 3) | 1 }
            finish()
        },
        Construct("yielding") {
            // Until somebody gives back a lock that nobody has.
            while true { sched_yield() }
        },
        Construct("yielding-for-a-while") {
            let end = Date() + 15
            while Date() < end { sched_yield() }
            trace("waited")
            finish()
        },
        Construct("horizon") { _ = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in } },
        Construct("crash") {
            trace("before")
            abort()
        },
        Construct("failure") { virtual_time_finish("it went wrong") },
    ]
}

/// Lets another thread go on for ever, so that never all wait.
private func beBusyElsewhere() {
    Thread.detachNewThread { while true { Thread.sleep(forTimeInterval: 1) } }
}

private enum Itself {
    static let value: Int = {
        Thread.sleep(forTimeInterval: 1)
        return value + 1
    }()
}

/// Two constants whose initializers need each other.
private enum First {
    static let name: String = {
        Thread.sleep(forTimeInterval: 1)
        return "first, with \(Second.name)"
    }()
}

private enum Second {
    static let name: String = {
        Thread.sleep(forTimeInterval: 1)
        return "second, with \(First.name)"
    }()
}

/// Waits within the work of synchronous calls, each of which ends: what it waits for does not wait for it.
private func waitsOfQueues() {
    let outer = DispatchQueue(label: "outer")
    let inner = DispatchQueue(label: "inner")
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let other = DispatchQueue(label: "other", attributes: .concurrent)
    let all = DispatchGroup()
    for number in 0..<3 {
        DispatchQueue.global().async(group: all) {
            outer.sync {
                inner.sync {
                    let work = DispatchGroup()
                    DispatchQueue.global().async(group: work) {
                        other.sync(flags: .barrier) { Thread.sleep(forTimeInterval: 1) }
                    }
                    work.wait()
                }
                trace("caller \(number)")
            }
        }
        concurrent.async(group: all) { inner.sync {} }
    }
    all.wait()
    trace("all")
    finish()
}

/// Traps by a check of the compiler.
@inline(never)
private func next(to number: UInt8) -> UInt8 { number + 1 }

/// Traps in the standard library.
@inline(never)
private func element(ofNone numbers: [Int], at index: Int) -> Int { numbers[index] }
