import Combine
import Testing

@Suite("Cancellation")
struct CancellationTests {
    @Test("A cancellable acts once, when it is cancelled or released")
    func once() {
        var count = 0
        var cancellable: AnyCancellable? = AnyCancellable { count += 1 }
        cancellable?.cancel()
        cancellable?.cancel()
        cancellable = nil
        #expect(count == 1)
        cancellable = AnyCancellable { count += 1 }
        cancellable = nil
        #expect(count == 2)
    }

    @Test("Cancellables are kept in sets and arrays, and cancelled with them")
    func storing() {
        let subject = PassthroughSubject<Int, Never>()
        var set: Set<AnyCancellable> = []
        var array: [AnyCancellable] = []
        var heard: [Int] = []
        subject.sink { heard.append($0) }.store(in: &set)
        subject.sink { heard.append($0 * 10) }.store(in: &array)
        subject.send(1)
        set.removeAll()
        subject.send(2)
        array.removeAll()
        subject.send(3)
        #expect(heard == [1, 10, 20])
    }

    @Test("A subscriber that cancels inside a delivery receives nothing more")
    func inside() {
        let subject = PassthroughSubject<Int, Never>()
        var subscription: AnyCancellable?
        var heard: [Int] = []
        subscription = subject.sink { value in
            heard.append(value)
            subscription?.cancel()
        }
        subject.send(1)
        subject.send(2)
        #expect(heard == [1])
    }

    @Test("A subscriber that cancels another one inside a delivery spares it the value")
    func another() {
        let subject = PassthroughSubject<Int, Never>()
        var second: AnyCancellable?
        var heard: [String] = []
        let first = subject.sink { value in
            heard.append("a\(value)")
            second?.cancel()
        }
        second = subject.sink { heard.append("b\($0)") }
        subject.send(1)
        #expect(heard == ["a1"])
        first.cancel()
    }

    @Test("A sequence stops when its subscriber cancels inside a delivery")
    func sequence() {
        var recorder: Recorder<Int, Never>?
        recorder = Recorder { value in
            if value == 3 { recorder?.cancel() }
            return .none
        }
        if let recorder { (1...10).publisher.subscribe(recorder) }
        #expect(recorder?.events == ["1", "2", "3"])
    }

    @Test(
        "Operators pass cancellation to their upstream, and nothing after it downstream",
        arguments: Operator.allCases)
    func operators(_ kind: Operator) {
        let source = Source<Int, Problem>()
        let recorder = kind.apply(source, VirtualScheduler()).record()
        recorder.cancel()
        #expect(source.calls.last == "cancel")
        source.send(1)
        source.send(completion: .finished)
        #expect(recorder.events == [])
    }

    @Test("Operators pass on an error, and nothing after it", arguments: Operator.allCases)
    func errors(_ kind: Operator) {
        let source = Source<Int, Problem>()
        let scheduler = VirtualScheduler()
        let recorder = kind.apply(source, scheduler).record()
        source.send(completion: .failure(Problem("first")))
        source.send(1)
        source.send(completion: .failure(Problem("second")))
        scheduler.advance(milliseconds: 10_000)
        #expect(recorder.events == ["failed: first"])
    }

    @Test("A sink releases its closures at the end")
    func closures() {
        final class Witness {}
        weak var witness: Witness?
        let subject = PassthroughSubject<Int, Never>()
        var subscription: AnyCancellable?
        do {
            let held = Witness()
            witness = held
            subscription = subject.sink(
                receiveCompletion: { _ in withExtendedLifetime(held) {} }, receiveValue: { _ in })
        }
        #expect(witness != nil)
        subject.send(completion: .finished)
        #expect(witness == nil)
        withExtendedLifetime(subscription) {}
    }

    @Test("A second subscription is cancelled")
    func secondSubscription() {
        let (one, two) = (Source<Int, Never>(), Source<Int, Never>())
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        one.subscribe(sink)
        two.subscribe(sink)
        #expect(one.calls == ["request unlimited"])
        #expect(two.calls == ["cancel"])
    }
}
