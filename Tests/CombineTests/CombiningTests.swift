import Combine
import Testing

@Suite("Several publishers")
struct CombiningTests {
    typealias Subject = PassthroughSubject<Int, Problem>

    @Test("combineLatest sends when all have a value, and then at each value")
    func combineLatest() {
        let (one, two, three) = (Subject(), Subject(), Subject())
        let pair = one.combineLatest(two) { "\($0)-\($1)" }.record()
        let triple = one.combineLatest(two, three).record()
        one.send(1)
        two.send(2)
        one.send(3)
        three.send(4)
        two.send(5)
        #expect(pair.events == ["1-2", "3-2", "3-5"])
        #expect(triple.events == ["(3, 2, 4)", "(3, 5, 4)"])
        one.send(completion: .finished)
        two.send(6)
        two.send(completion: .finished)
        #expect(pair.events == ["1-2", "3-2", "3-5", "3-6", "finished"])
    }

    @Test("A value whose release makes its publisher send does not block")
    func releaseSends() {
        final class Value {
            let released: () -> Void
            init(_ released: @escaping () -> Void) { self.released = released }
            deinit { released() }
        }
        let (one, two) = (PassthroughSubject<Value, Never>(), PassthroughSubject<Int, Never>())
        let recorder = one.combineLatest(two) { $1 }.record()
        two.send(1)
        one.send(Value { two.send(2) })
        one.send(Value {})
        #expect(recorder.events.contains("2"))
    }

    @Test("combineLatest of published properties sends at the first subscription")
    func combineLatestCurrent() {
        let recorder = CurrentValueSubject<Int, Never>(1).combineLatest(CurrentValueSubject<Int, Never>(2)).record()
        #expect(recorder.events == ["(1, 2)"])
    }

    @Test("zip pairs values by their number, and finishes when no pair can come")
    func zip() {
        let (one, two, three) = (Subject(), Subject(), Subject())
        let pair = one.zip(two).record()
        let triple = one.zip(two, three).record()
        one.send(1)
        one.send(2)
        two.send(10)
        three.send(100)
        #expect(pair.events == ["(1, 10)"])
        #expect(triple.events == ["(1, 10, 100)"])
        one.send(completion: .finished)
        #expect(pair.events == ["(1, 10)"])
        two.send(20)
        #expect(pair.events == ["(1, 10)", "(2, 20)", "finished"])
    }

    @Test("zip cancels the publisher that is left over")
    func zipLeftOver() {
        let (one, two) = (Source<Int, Never>(), Source<Int, Never>())
        let recorder = one.zip(two).record()
        one.send(completion: .finished)
        #expect(recorder.events == ["finished"])
        #expect(two.calls == ["request unlimited", "cancel"])
    }

    @Test("An error of one ends all, and cancels the others")
    func errors() {
        let source = Source<Int, Problem>()
        let subject = Subject()
        let zipped = subject.zip(source).record()
        subject.send(completion: .failure(Problem()))
        #expect(zipped.events == ["failed: problem"])
        #expect(source.calls == ["request unlimited", "cancel"])
        let (other, merging) = (Source<Int, Problem>(), Subject())
        let merged = merging.merge(with: other).record()
        merging.send(completion: .failure(Problem()))
        #expect(merged.events == ["failed: problem"])
        #expect(other.calls == ["request unlimited", "cancel"])
    }

    @Test("merge sends values as they come, and finishes with the last publisher")
    func merge() {
        let (one, two, three) = (Subject(), Subject(), Subject())
        let recorder = one.merge(with: two, three).record()
        two.send(2)
        one.send(1)
        three.send(3)
        one.send(completion: .finished)
        two.send(completion: .finished)
        #expect(recorder.events == ["2", "1", "3"])
        three.send(completion: .finished)
        #expect(recorder.events == ["2", "1", "3", "finished"])
        let many = Publishers.MergeMany([1, 2, 3].map { Just($0) }).record()
        #expect(many.events == ["1", "2", "3", "finished"])
    }

    @Test("flatMap sends the values of all publishers, and finishes with the last one")
    func flatMap() {
        let outer = Subject()
        let inner = [Subject(), Subject()]
        let recorder = outer.flatMap { inner[$0] }.record()
        outer.send(0)
        outer.send(1)
        inner[1].send(11)
        inner[0].send(1)
        outer.send(completion: .finished)
        inner[0].send(completion: .finished)
        #expect(recorder.events == ["11", "1"])
        inner[1].send(completion: .finished)
        #expect(recorder.events == ["11", "1", "finished"])
    }

    @Test("flatMap passes the error of an inner publisher on, and sends no value more than was requested")
    func flatMapDemand() {
        let recorder = (1...3).publisher.flatMap { [$0, $0 * 10].publisher }.record(.max(3))
        #expect(recorder.events.count == 3)
        recorder.request(.unlimited)
        #expect(recorder.events.count == 7)
        #expect(recorder.events.last == "finished")
        let failing = Just(1).flatMap { _ in Fail<Int, Problem>(error: Problem()) }.record()
        #expect(failing.events == ["failed: problem"])
    }

    @Test("switchToLatest follows only the latest publisher, and cancels the one before")
    func switchToLatest() {
        let outer = PassthroughSubject<Source<Int, Never>, Never>()
        let (one, two) = (Source<Int, Never>(), Source<Int, Never>())
        let recorder = outer.switchToLatest().record(.max(2))
        outer.send(one)
        one.send(1)
        outer.send(two)
        #expect(one.calls == ["request max(2)", "cancel"])
        #expect(two.calls == ["request max(1)"])
        one.send(100)
        two.send(2)
        outer.send(completion: .finished)
        #expect(recorder.events == ["1", "2"])
        two.send(completion: .finished)
        #expect(recorder.events == ["1", "2", "finished"])
    }

    @Test("share has one subscription upstream, which ends with its last subscriber")
    func share() {
        var events: [String] = []
        let subject = PassthroughSubject<Int, Never>()
        let shared = subject.handleEvents(
            receiveSubscription: { _ in events.append("subscribed") }, receiveCancel: { events.append("cancelled") }
        ).share()
        let (one, two) = (shared.record(), shared.record())
        subject.send(1)
        one.cancel()
        #expect(events == ["subscribed"])
        subject.send(2)
        two.cancel()
        #expect(events == ["subscribed", "cancelled"])
        #expect(one.events == ["1"])
        #expect(two.events == ["1", "2"])
        let again = shared.record()
        subject.send(3)
        #expect(again.events == ["3"])
        #expect(events == ["subscribed", "cancelled", "subscribed"])
    }

    @Test("A connectable publisher sends nothing before it is connected")
    func connectable() {
        let connectable = (1...2).publisher.makeConnectable()
        let (one, two) = (connectable.record(), connectable.record())
        #expect(one.events == [])
        let connection = connectable.connect()
        #expect(one.events == ["1", "2", "finished"])
        #expect(two.events == ["1", "2", "finished"])
        connection.cancel()
    }
}
