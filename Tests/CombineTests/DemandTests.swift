import Combine
import Testing

@Suite("Demand")
struct DemandTests {
    @Test("Demand adds up, and never falls below none")
    func arithmetic() {
        var demand = Subscribers.Demand.max(2)
        demand += 3
        #expect(demand == 5)
        demand -= .max(7)
        #expect(demand == .none)
        #expect(Subscribers.Demand.max(.max) + .max(.max) + .max(.max) == .unlimited)
    }

    @Test("Unlimited stays unlimited, and is the largest")
    func unlimited() {
        #expect(Subscribers.Demand.unlimited - .max(3) == .unlimited)
        #expect(Subscribers.Demand.unlimited > .max(.max))
        #expect(Subscribers.Demand.unlimited.max == nil)
        #expect(Subscribers.Demand.max(4).max == 4)
        #expect("\(Subscribers.Demand.unlimited) \(Subscribers.Demand.max(4))" == "unlimited max(4)")
    }

    @Test("A sequence sends as many values as were requested, and the end directly after the last one")
    func sequence() {
        let recorder = [1, 2, 3].publisher.record(.max(1))
        #expect(recorder.events == ["1"])
        recorder.request(.max(1))
        #expect(recorder.events == ["1", "2"])
        recorder.request(.max(1))
        #expect(recorder.events == ["1", "2", "3", "finished"])
    }

    @Test("An empty sequence finishes without a request")
    func emptySequence() {
        let recorder = [Int]().publisher.record(.none)
        #expect(recorder.events == ["finished"])
    }

    @Test("The demand that a subscriber returns adds to what it requested")
    func returned() {
        let recorder = (1...10).publisher.record(.max(2)) { $0 < 4 ? .max(1) : .none }
        #expect(recorder.events == ["1", "2", "3", "4", "5"])
    }

    @Test("A request is met inside the call that makes it")
    func synchronous() {
        var events: [String] = []
        Just(1).subscribe(
            AnySubscriber<Int, Never>(
                receiveSubscription: { subscription in
                    subscription.request(.max(1))
                    events.append("requested")
                },
                receiveValue: { value in
                    events.append("\(value)")
                    return .none
                }, receiveCompletion: { _ in events.append("finished") }))
        #expect(events == ["1", "finished", "requested"])
    }

    @Test("Erasing the type keeps the demand")
    func erased() {
        let recorder = (1...10).publisher.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher()
            .record(.max(2)) { $0 < 4 ? .max(1) : .none }
        #expect(recorder.events == ["1", "2", "3", "4", "5"])
    }

    @Test("A request from inside a delivery does not nest")
    func requestInside() {
        var depth = 0
        var deepest = 0
        var recorder: Recorder<Int, Never>?
        recorder = Recorder(.none) { _ in
            depth += 1
            deepest = max(deepest, depth)
            recorder?.request(.max(1))
            depth -= 1
            return .none
        }
        if let recorder { (1...1_000).publisher.subscribe(recorder) }
        recorder?.request(.max(1))
        #expect(recorder?.events.count == 1_001)
        #expect(deepest == 1)
    }

    @Test("A passthrough subject drops what was not requested")
    func passthrough() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.record(.max(1))
        subject.send(1)
        subject.send(2)
        recorder.request(.max(1))
        subject.send(3)
        #expect(recorder.events == ["1", "3"])
    }

    @Test("A current value subject sends the latest value that was not sent when it is requested")
    func currentValue() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = subject.record(.max(1))
        subject.send(1)
        subject.send(2)
        #expect(recorder.events == ["0"])
        recorder.request(.max(2))
        #expect(recorder.events == ["0", "2"])
        subject.send(3)
        subject.send(4)
        #expect(recorder.events == ["0", "2", "3"])
    }

    @Test("A value that is left out is requested again")
    func filter() {
        let recorder = (1...10).publisher.filter { $0 % 3 == 0 }.record(.max(2))
        #expect(recorder.events == ["3", "6"])
        let compact = ["1", "x", "2"].publisher.compactMap { Int($0) }.record(.max(2))
        #expect(compact.events == ["1", "2", "finished"])
    }

    @Test("The values of Just and of a future wait for demand")
    func waiting() {
        let just = Just(1).record(.none)
        #expect(just.events == [])
        just.request(.max(1))
        #expect(just.events == ["1", "finished"])
        let future = Future<Int, Problem> { $0(.success(2)) }.record(.none)
        #expect(future.events == [])
        future.request(.unlimited)
        #expect(future.events == ["2", "finished"])
    }

    @Test("First and collect request everything, and their result waits for demand")
    func collectors() {
        let source = Source<Int, Never>()
        let first = source.first().record(.none)
        #expect(source.calls == ["request unlimited"])
        source.send(1)
        #expect(source.calls == ["request unlimited", "cancel"])
        #expect(first.events == [])
        first.request(.max(1))
        #expect(first.events == ["1", "finished"])
        let all = (1...3).publisher.collect().record(.max(1))
        #expect(all.events == ["[1, 2, 3]", "finished"])
    }

    @Test("Merge has one value of each publisher in hand")
    func merge() {
        let (one, two) = (Source<Int, Never>(), Source<Int, Never>())
        let recorder = one.merge(with: two).record(.max(1))
        #expect(one.calls == ["request max(1)"])
        one.send(1)
        #expect(one.calls == ["request max(1)", "request max(1)"])
        two.send(2)
        #expect(two.calls == ["request max(1)"])
        #expect(recorder.events == ["1"])
        recorder.request(.max(1))
        #expect(recorder.events == ["1", "2"])
        #expect(two.calls == ["request max(1)", "request max(1)"])
        recorder.request(.unlimited)
        #expect(one.calls.last == "request unlimited")
    }

    @Test("flatMap asks for so many publishers at a time, and for another when one has finished")
    func flatMap() {
        let outer = Source<Int, Never>()
        let inner = PassthroughSubject<Int, Never>()
        let recorder = outer.flatMap(maxPublishers: .max(1)) { _ in inner }.record()
        #expect(outer.calls == ["request max(1)"])
        outer.send(0)
        inner.send(5)
        inner.send(completion: .finished)
        #expect(recorder.events == ["5"])
        #expect(outer.calls == ["request max(1)", "request max(1)"])
    }

    @Test("The demand that a failed publisher did not meet goes to its replacement")
    func replacement() {
        let source = Source<Int, Problem>()
        let recorder = source.catch { _ in [10, 20, 30, 40].publisher }.record(.max(3))
        source.send(1)
        source.send(completion: .failure(Problem()))
        #expect(recorder.events == ["1", "10", "20"])
    }

    @Test("Zip and combineLatest pass requests to both publishers")
    func pairs() {
        let (one, two) = (Source<Int, Never>(), Source<Int, Never>())
        let zipped = one.zip(two).record(.max(2))
        #expect(one.calls == ["request max(2)"])
        #expect(two.calls == ["request max(2)"])
        one.send(1)
        two.send(2)
        #expect(zipped.events == ["(1, 2)"])
        let (three, four) = (Source<Int, Never>(), Source<Int, Never>())
        let latest = three.combineLatest(four).record(.max(1))
        three.send(1)
        four.send(2)
        four.send(3)
        #expect(latest.events == ["(1, 2)"])
        #expect(three.calls == ["request max(1)"])
    }
}
