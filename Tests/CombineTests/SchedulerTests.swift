import Combine
import Foundation
import Locking
import Testing

@Suite("Schedulers of Dispatch and Foundation")
struct SchedulerTests {
    /// Collects the values of a publisher until it ends.
    private func values<P: Publisher>(_ publisher: P) async throws -> [P.Output] {
        var values: [P.Output] = []
        for try await value in AsyncThrowingPublisher(publisher) { values.append(value) }
        return values
    }

    @Test("A dispatch queue delivers on itself")
    func queue() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "test")
        queue.setSpecific(key: key, value: true)
        let isOnQueue = try await values(
            Just(0).receive(on: queue).map { _ in DispatchQueue.getSpecific(key: key) ?? false })
        #expect(isOnQueue == [true])
    }

    @Test("An operation queue delivers on itself")
    func operationQueue() async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let box = UncheckedBox(queue)
        let isOnQueue = try await values(
            [1, 2].publisher.receive(on: queue).map { _ in OperationQueue.current === box.value })
        #expect(isOnQueue == [true, true])
    }

    @Test("Delays come after the time on each scheduler")
    func delays() async throws {
        let start = Date()
        let queue = try await values(Just(1).delay(for: 0.01, scheduler: DispatchQueue.global()))
        let operations = try await values(Just(2).delay(for: .milliseconds(10), scheduler: OperationQueue()))
        #expect(queue == [1])
        #expect(operations == [2])
        #expect(Date().timeIntervalSince(start) >= 0.019)
    }

    @Test("A repeated closure runs until it is cancelled")
    func repeated() async {
        let count = SharedCount()
        let held = Mutex<UncheckedBox<any Cancellable>?>(nil)
        await withCheckedContinuation { continuation in
            let queue = DispatchQueue(label: "test")
            // Under the lock: the third run may come before the first one's caller goes on.
            held.withLock {
                $0 = UncheckedBox(
                    queue.schedule(after: queue.now, interval: .milliseconds(1)) {
                        count.add(1)
                        if count.value == 3 {
                            held.withLock { $0 }?.value.cancel()
                            continuation.resume()
                        }
                    })
            }
        }
        #expect(count.value == 3)
    }

    @Test("A run loop is woken from another thread, and delivers on its own")
    func runLoop() {
        let isOwnThread = SharedFlag()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let own = UncheckedBox(Thread.current)
            let subject = PassthroughSubject<Int, Never>()
            let subscription = subject.receive(on: RunLoop.current).sink { _ in
                isOwnThread.set(Thread.current === own.value)
                done.signal()
            }
            // A run loop without a source returns at once.
            RunLoop.current.add(Timer(timeInterval: 1_000, repeats: true) { _ in }, forMode: .default)
            let shared = UncheckedBox(subject)
            RunLoop.current.perform { DispatchQueue.global().async { shared.value.send(1) } }
            // Sleeps when the value comes, and as long as the process lives.
            while RunLoop.current.run(mode: .default, before: .distantFuture) {}
            subscription.cancel()
        }
        done.wait()
        #expect(isOwnThread.isSet)
    }

    @Test("The main run loop's closures run on the main queue while nothing runs the loop")
    func mainRunLoop() async throws {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isOnMain = UncheckedBox { DispatchQueue.getSpecific(key: key) ?? false }
        let isMain = try await values(Just(1).receive(on: RunLoop.main).map { _ in isOnMain.value() })
        #expect(isMain == [true])
        let delayed = try await values(
            Just(2).delay(for: .milliseconds(1), scheduler: RunLoop.main).map { _ in isOnMain.value() })
        #expect(delayed == [true])
        let ticks = try await values(
            Timer.publish(every: 0.001, on: .main, in: .common).autoconnect().map { _ in isOnMain.value() }.prefix(2))
        #expect(ticks == [true, true])
    }

    @Test("Time spans are written as numbers of seconds or in parts of them")
    func spans() {
        let dispatch: DispatchQueue.SchedulerTimeType.Stride = 0.5
        #expect(dispatch == .milliseconds(500))
        #expect(DispatchQueue.SchedulerTimeType.Stride.seconds(Int.max).magnitude == .max)
        let runLoop: RunLoop.SchedulerTimeType.Stride = .microseconds(1_500_000)
        #expect(runLoop.timeInterval == 1.5)
        let now = DispatchQueue.main.now
        #expect(now.advanced(by: 2).distance(to: now) == .seconds(-2))
    }

    @Test("debounce works on the main queue's time")
    func debounce() async throws {
        let last = try await values(
            (1...3).publisher.append(Empty(completeImmediately: false))
                .debounce(for: .milliseconds(5), scheduler: DispatchQueue.global()).first())
        #expect(last == [3])
    }
}
