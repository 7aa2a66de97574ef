import Combine
import Testing

@Suite("Time")
struct TimeTests {
    private let scheduler = VirtualScheduler()
    private let subject = PassthroughSubject<Int, Problem>()

    @Test("debounce sends the last value once none has come for the time")
    func debounce() {
        let recorder = subject.debounce(for: .milliseconds(100), scheduler: scheduler).record()
        subject.send(1)
        scheduler.advance(milliseconds: 99)
        subject.send(2)
        scheduler.advance(milliseconds: 99)
        #expect(recorder.events == [])
        scheduler.advance(milliseconds: 1)
        #expect(recorder.events == ["2"])
        scheduler.advance(milliseconds: 1_000)
        #expect(recorder.events == ["2"])
        #expect(scheduler.count == 0)
    }

    @Test("debounce does not send a value that waits when the publisher ends")
    func debounceEnd() {
        let recorder = subject.debounce(for: .milliseconds(100), scheduler: scheduler).record()
        subject.send(1)
        subject.send(completion: .finished)
        #expect(recorder.events == [])
        scheduler.advance(milliseconds: 1_000)
        #expect(recorder.events == ["finished"])
    }

    @Test("Cancelling leaves no timer behind")
    func timers() {
        let debounced = subject.debounce(for: .milliseconds(100), scheduler: scheduler).record()
        let timed = subject.timeout(.milliseconds(100), scheduler: scheduler).record()
        subject.send(1)
        scheduler.advance()
        #expect(scheduler.count == 2)
        debounced.cancel()
        timed.cancel()
        #expect(scheduler.count == 0)
    }

    @Test("debounce drops a value that is due without demand")
    func debounceDemand() {
        let recorder = subject.debounce(for: .milliseconds(100), scheduler: scheduler).record(.none)
        subject.send(1)
        scheduler.advance(milliseconds: 200)
        recorder.request(.unlimited)
        #expect(recorder.events == [])
        subject.send(2)
        scheduler.advance(milliseconds: 200)
        #expect(recorder.events == ["2"])
    }

    @Test("throttle sends the first value at once, and the latest one when the interval is over")
    func throttleLatest() {
        let recorder = subject.throttle(for: .milliseconds(100), scheduler: scheduler, latest: true).record()
        subject.send(1)
        scheduler.advance()
        #expect(recorder.events == ["1"])
        subject.send(2)
        subject.send(3)
        scheduler.advance(milliseconds: 99)
        #expect(recorder.events == ["1"])
        scheduler.advance(milliseconds: 1)
        #expect(recorder.events == ["1", "3"])
        scheduler.advance(milliseconds: 500)
        subject.send(4)
        scheduler.advance()
        #expect(recorder.events == ["1", "3", "4"])
    }

    @Test("throttle can send the first value of an interval")
    func throttleFirst() {
        let recorder = subject.throttle(for: .milliseconds(100), scheduler: scheduler, latest: false).record()
        for number in 1...3 {
            subject.send(number)
            scheduler.advance()
        }
        scheduler.advance(milliseconds: 100)
        #expect(recorder.events == ["1", "2"])
    }

    @Test("throttle sends a value that waits before the end, when it is due")
    func throttleEnd() {
        let recorder = subject.throttle(for: .milliseconds(100), scheduler: scheduler, latest: true).record()
        subject.send(1)
        scheduler.advance()
        subject.send(2)
        subject.send(completion: .finished)
        scheduler.advance(milliseconds: 99)
        #expect(recorder.events == ["1"])
        scheduler.advance(milliseconds: 1)
        #expect(recorder.events == ["1", "2", "finished"])
    }

    @Test("throttle does not keep a value that nobody requested")
    func throttleDemand() {
        let recorder = subject.throttle(for: .milliseconds(100), scheduler: scheduler, latest: true).record(.none)
        subject.send(1)
        recorder.request(.unlimited)
        scheduler.advance(milliseconds: 1_000)
        #expect(recorder.events == [])
    }

    @Test("delay delivers values and the end after the time, in order")
    func delay() {
        let recorder = subject.delay(for: .seconds(1), scheduler: scheduler).record()
        subject.send(1)
        scheduler.advance(milliseconds: 500)
        subject.send(2)
        subject.send(completion: .failure(Problem()))
        scheduler.advance(milliseconds: 500)
        #expect(recorder.events == ["1"])
        scheduler.advance(milliseconds: 500)
        #expect(recorder.events == ["1", "2", "failed: problem"])
    }

    @Test("timeout ends when no value comes for the time, with the given error or none")
    func timeout() {
        let finishing = subject.timeout(.milliseconds(100), scheduler: scheduler).record()
        let failing = subject.timeout(.milliseconds(100), scheduler: scheduler) { Problem("late") }.record()
        scheduler.advance(milliseconds: 60)
        subject.send(1)
        scheduler.advance(milliseconds: 60)
        #expect(finishing.events == ["1"])
        scheduler.advance(milliseconds: 40)
        #expect(finishing.events == ["1", "finished"])
        #expect(failing.events == ["1", "failed: late"])
        subject.send(2)
        scheduler.advance(milliseconds: 1_000)
        #expect(finishing.events == ["1", "finished"])
        #expect(scheduler.count == 0)
    }

    @Test("timeout is cancelled by the end")
    func timeoutEnd() {
        let recorder = subject.timeout(.milliseconds(100), scheduler: scheduler) { Problem("late") }.record()
        subject.send(completion: .finished)
        scheduler.advance(milliseconds: 1_000)
        #expect(recorder.events == ["finished"])
    }

    @Test("receive(on:) delivers on the scheduler, and the subscriber's demand goes upstream")
    func receiveOn() {
        let source = Source<Int, Never>()
        let recorder = source.receive(on: scheduler).record(.max(1)) { _ in .max(2) }
        #expect(source.calls == ["request max(1)"])
        source.send(1)
        #expect(recorder.events == [])
        scheduler.advance()
        #expect(recorder.events == ["1"])
        #expect(source.calls == ["request max(1)", "request max(2)"])
    }

    @Test("A subscriber that cancels does not receive what is scheduled")
    func cancelled() {
        let recorder = subject.receive(on: scheduler).record()
        subject.send(1)
        recorder.cancel()
        scheduler.advance()
        #expect(recorder.events == [])
    }

    @Test("subscribe(on:) subscribes, requests and cancels on the scheduler")
    func subscribeOn() {
        let source = Source<Int, Never>()
        let recorder = source.subscribe(on: scheduler).record(.max(3))
        #expect(source.calls == [])
        #expect(recorder.subscription == nil)
        scheduler.advance()
        #expect(source.calls == ["request max(3)"])
        source.send(1)
        #expect(recorder.events == ["1"])
        recorder.cancel()
        #expect(source.calls == ["request max(3)"])
        scheduler.advance()
        #expect(source.calls == ["request max(3)", "cancel"])
    }

    @Test("The immediate scheduler runs in the call")
    func immediate() {
        let recorder = (1...2).publisher.receive(on: ImmediateScheduler.shared).record()
        #expect(recorder.events == ["1", "2", "finished"])
    }
}
