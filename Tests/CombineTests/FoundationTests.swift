import Combine
import Foundation
import Locking
import Testing

@Suite("Publishers of Foundation")
struct FoundationTests {
    private let center = NotificationCenter()
    private let name = Notification.Name("test")

    @Test("Notifications are published in the call that posts them, until cancelled")
    func notifications() {
        var heard: [Int?] = []
        let subscription = center.publisher(for: name).sink { heard.append($0.userInfo?["n"] as? Int) }
        center.post(name: name, object: nil, userInfo: ["n": 1])
        center.post(name: Notification.Name("other"), object: nil)
        subscription.cancel()
        center.post(name: name, object: nil, userInfo: ["n": 2])
        #expect(heard == [1])
    }

    @Test("A subscription that is cancelled leaves no observer in the center")
    func observer() {
        weak var outlet: AnyObject?
        let subscription = center.publisher(for: name)
            .handleEvents(receiveSubscription: { outlet = $0 as AnyObject }).sink { _ in }
        #expect(outlet != nil)
        subscription.cancel()
        #expect(outlet == nil)
    }

    @Test("Notifications of one object are told from others")
    func object() {
        let (one, two) = (NSObject(), NSObject())
        var count = 0
        let subscription = center.publisher(for: name, object: one).sink { _ in count += 1 }
        center.post(name: name, object: two)
        center.post(name: name, object: one)
        #expect(count == 1)
        subscription.cancel()
    }

    @Test("Notifications that were not requested are dropped")
    func demand() {
        let recorder = center.publisher(for: name).map { $0.userInfo?["n"] as? Int ?? 0 }.record(.max(1))
        for number in 1...3 { center.post(name: name, object: nil, userInfo: ["n": number]) }
        #expect(recorder.events == ["1"])
        recorder.request(.max(1))
        center.post(name: name, object: nil, userInfo: ["n": 4])
        #expect(recorder.events == ["1", "4"])
    }

    @Test("A timer publishes while it is connected")
    func timer() {
        let (count, isIdle) = (SharedCount(), SharedFlag())
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let subscription = Timer.publish(every: 0.001, on: .current, in: .default).autoconnect().sink { _ in
                count.add(1)
            }
            while count.value < 3 { _ = RunLoop.current.run(mode: .default, before: Date() + 0.001) }
            subscription.cancel()
            // Without the timer, the run loop has nothing left to run.
            isIdle.set(!RunLoop.current.run(mode: .default, before: .distantPast))
            done.signal()
        }
        thread.start()
        done.wait()
        #expect(count.value >= 3)
        #expect(isIdle.isSet)
    }

    @Test("A timer that is connected while its run loop runs publishes only after its interval")
    func firstTick() {
        let interval = 0.2
        let (isEarly, hasTicked) = (SharedFlag(), SharedFlag())
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            nonisolated(unsafe) var subscription: (any Cancellable)?  // Only this thread uses it.
            RunLoop.current.perform {
                let start = ContinuousClock.now
                subscription = Timer.publish(every: interval, on: .current, in: .default).autoconnect().sink { _ in
                    // Half of it, since a timer may be early by its clock's precision.
                    if !hasTicked.isSet { isEarly.set(ContinuousClock.now - start < .seconds(interval / 2)) }
                    hasTicked.set(true)
                }
            }
            while !hasTicked.isSet { _ = RunLoop.current.run(mode: .default, before: Date() + 1) }
            subscription?.cancel()
            done.signal()
        }
        thread.start()
        done.wait()
        #expect(!isEarly.isSet, "the first value came at once")
    }
}
