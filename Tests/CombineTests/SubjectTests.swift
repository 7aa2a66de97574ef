import Combine
import Foundation
import Locking
import Testing

@Suite("Subjects")
struct SubjectTests {
    @Test("Subscribers receive what is sent after they subscribed, in the order of their subscriptions")
    func passthrough() {
        let subject = PassthroughSubject<Int, Never>()
        var heard: [String] = []
        subject.send(0)
        let first = subject.sink { heard.append("a\($0)") }
        let second = subject.sink { heard.append("b\($0)") }
        subject.send(1)
        first.cancel()
        subject.send(2)
        #expect(heard == ["a1", "b1", "b2"])
        second.cancel()
        subject.send(3)
        #expect(heard.count == 3)
    }

    @Test("A current value subject has its value before subscribers receive it")
    func currentValue() {
        let subject = CurrentValueSubject<Int, Never>(1)
        var seen: [String] = []
        let subscription = subject.sink { seen.append("\($0) while \(subject.value)") }
        subject.value = 2
        subject.send(3)
        #expect(seen == ["1 while 1", "2 while 2", "3 while 3"])
        subscription.cancel()
    }

    @Test("The end reaches all subscribers once, also those that come later")
    func completion() {
        let subject = CurrentValueSubject<Int, Problem>(1)
        let early = subject.record()
        subject.send(completion: .failure(Problem()))
        subject.send(completion: .finished)
        subject.send(2)
        #expect(early.events == ["1", "failed: problem"])
        let late = subject.record()
        #expect(late.events == ["failed: problem"])
        #expect(subject.value == 1)
    }

    @Test("The end needs no demand")
    func endWithoutDemand() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.record(.none)
        subject.send(completion: .finished)
        #expect(recorder.events == ["finished"])
    }

    @Test(
        "A value that is sent from inside a delivery comes at once to the same subscriber, and in order to the others")
    func nested() {
        let subject = PassthroughSubject<Int, Never>()
        var heard: [String] = []
        let first = subject.sink { value in
            heard.append("a\(value)")
            if value == 1 { subject.send(2) }
            heard.append("a\(value) done")
        }
        let second = subject.sink { heard.append("b\($0)") }
        subject.send(1)
        #expect(heard == ["a1", "a2", "a2 done", "b1", "b2", "a1 done"])
        first.cancel()
        second.cancel()
    }

    @Test("The subscription comes before everything else, even if the subject ends meanwhile")
    func subscriptionFirst() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let (shared, ended) = (UncheckedBox(subject), DispatchSemaphore(value: 0))
        var events: [String] = []
        let subscriber = AnySubscriber<Int, Never>(
            receiveSubscription: { subscription in
                Thread.detachNewThread {
                    shared.value.send(completion: .finished)
                    ended.signal()
                }
                ended.wait()
                events.append("subscription")
                subscription.request(.unlimited)
            },
            receiveValue: { value in
                events.append("\(value)")
                return .none
            }, receiveCompletion: { _ in events.append("finished") })
        subject.subscribe(subscriber)
        #expect(events == ["subscription", "1", "finished"])
    }

    @Test("A subject passes on what another publisher sends, until that is cancelled")
    func chained() {
        let (source, subject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let recorder = subject.record()
        let link = source.subscribe(subject)
        source.send(1)
        link.cancel()
        source.send(2)
        #expect(recorder.events == ["1"])
    }

    @Test("A subject requests from its upstream when it has demand; one with a value requests at once")
    func upstreamDemand() {
        let source = Source<Int, Never>()
        let subject = PassthroughSubject<Int, Never>()
        let link = source.subscribe(subject)
        #expect(source.calls == [])
        let recorder = subject.record()
        #expect(source.calls == ["request unlimited"])
        let second = Source<Int, Never>()
        let secondLink = second.subscribe(CurrentValueSubject<Int, Never>(0))
        #expect(second.calls == ["request unlimited"])
        withExtendedLifetime((link, secondLink, recorder)) {}
    }

    @Test("A subscriber that subscribes inside a delivery does not receive that value")
    func subscribingInside() {
        let subject = PassthroughSubject<Int, Never>()
        var inner: Recorder<Int, Never>?
        let outer = subject.sink { _ in if inner == nil { inner = subject.record() } }
        subject.send(1)
        subject.send(2)
        #expect(inner?.events == ["2"])
        outer.cancel()
    }

    @Test("A released subject leaves no subscriber behind")
    func release() {
        final class Witness {}
        weak var witness: Witness?
        do {
            let subject = PassthroughSubject<Int, Never>()
            let held = Witness()
            witness = held
            let subscription = subject.sink { _ in withExtendedLifetime(held) {} }
            subject.send(1)
            subscription.cancel()
        }
        #expect(witness == nil)
    }

    @Test("Void subjects send without an argument")
    func void() {
        let subject = PassthroughSubject<Void, Never>()
        var count = 0
        let subscription = subject.sink { count += 1 }
        subject.send()
        #expect(count == 1)
        subscription.cancel()
    }
}
