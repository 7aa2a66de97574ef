import Combine
import Dispatch
import Foundation
import Locking
import Testing

@Suite("Threads")
struct ConcurrencyTests {
    private static let threads = 4
    private static let rounds = 2_000

    /// Tells overlapping calls of a subscriber. Its members are not guarded, so that the thread sanitizer also tells
    /// calls that are not ordered.
    // Proof of `@unchecked Sendable`: that is the claim under test.
    private final class Overlap: @unchecked Sendable {
        var isInside = false
        var overlaps = 0
        var values: [Int] = []

        func enter(_ value: Int) {
            if isInside { overlaps += 1 }
            isInside = true
            values.append(value)
            isInside = false
        }
    }

    /// Sends from several threads at once, and waits until all have returned.
    private func storm(_ send: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for round in 0..<Self.rounds { send(thread, round) }
        }
    }

    private let all = threads * rounds

    @Test("A subject that several threads use delivers one value at a time, all of them")
    func subject() {
        let (subject, overlap) = (PassthroughSubject<Int, Never>(), Overlap())
        let subscription = subject.sink { overlap.enter($0) }
        let shared = UncheckedBox(subject)
        storm { thread, round in shared.value.send(thread * Self.rounds + round) }
        #expect(overlap.overlaps == 0)
        #expect(Set(overlap.values).count == all)
        subscription.cancel()
    }

    @Test("The values of one thread stay in order")
    func order() {
        let (subject, overlap) = (PassthroughSubject<Int, Never>(), Overlap())
        let subscription = subject.sink { overlap.enter($0) }
        let shared = UncheckedBox(subject)
        storm { thread, round in shared.value.send(thread * Self.rounds + round) }
        for thread in 0..<Self.threads {
            let own = overlap.values.filter { $0 / Self.rounds == thread }
            #expect(own == own.sorted())
        }
        subscription.cancel()
    }

    @Test("All subscribers of a current value subject end with its value")
    func currentValue() {
        let subject = CurrentValueSubject<Int, Never>(-1)
        let overlaps = (0..<3).map { _ in Overlap() }
        let subscriptions = overlaps.map { overlap in subject.sink { overlap.enter($0) } }
        let shared = UncheckedBox(subject)
        storm { thread, round in shared.value.send(thread * Self.rounds + round) }
        for overlap in overlaps { #expect(overlap.values.last == subject.value) }
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test(
        "Operators that join publishers deliver one value at a time",
        arguments: ["merge", "combineLatest", "flatMap", "zip", "switchToLatest"])
    func joined(_ name: String) {
        let subjects = (0..<Self.threads).map { _ in PassthroughSubject<Int, Never>() }
        let overlap = Overlap()
        let publisher: AnyPublisher<Int, Never> =
            switch name {
            case "merge": Publishers.MergeMany(subjects).eraseToAnyPublisher()
            case "combineLatest":
                subjects[0].combineLatest(subjects[1], subjects[2]) { $0 + $1 + $2 }.eraseToAnyPublisher()
            case "flatMap": (0..<Self.threads).publisher.flatMap { subjects[$0] }.eraseToAnyPublisher()
            case "zip": subjects[0].zip(subjects[1]) { $0 + $1 }.eraseToAnyPublisher()
            default: Just(subjects[0]).switchToLatest().eraseToAnyPublisher()
            }
        let subscription = publisher.sink { overlap.enter($0) }
        let shared = UncheckedBox(subjects)
        storm { thread, round in shared.value[thread].send(round) }
        #expect(overlap.overlaps == 0)
        switch name {
        case "merge", "flatMap": #expect(overlap.values.count == all)
        case "zip": #expect(overlap.values == (0..<Self.rounds).map { $0 * 2 })
        case "switchToLatest": #expect(overlap.values == Array(0..<Self.rounds))
        default: #expect(overlap.values.last == (Self.rounds - 1) * 3)
        }
        subscription.cancel()
    }

    @Test("Subscribers come and go while others send")
    func comingAndGoing() {
        let subject = PassthroughSubject<Int, Never>()
        let shared = UncheckedBox(subject)
        let received = SharedCount()
        storm { thread, round in
            guard thread > 0 else { return shared.value.send(round) }
            let subscription = shared.value.map { $0 + 1 }.sink { _ in received.add(1) }
            subscription.cancel()
        }
        let before = received.value
        subject.send(1)
        #expect(received.value == before)
    }

    @Test("A subscriber may wait inside its call for another thread that sends to the same subject")
    func noLockHeld() {
        let (subject, overlap) = (PassthroughSubject<Int, Never>(), Overlap())
        let shared = UncheckedBox(subject)
        let subscription = subject.sink { value in
            overlap.enter(value)
            guard value == 1 else { return }
            // The other thread must not wait for this call to return.
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                shared.value.send(2)
                done.signal()
            }
            done.wait()
        }
        subject.send(1)
        #expect(overlap.values == [1, 2])
        subscription.cancel()
    }

    @Test("An object's publisher is one, whichever threads ask for it")
    func objectWillChange() {
        final class Model: ObservableObject {}
        let model = UncheckedBox(Model())
        let publishers = Mutex<Set<ObjectIdentifier>>([])
        storm { _, _ in
            let publisher = ObjectIdentifier(model.value.objectWillChange)
            _ = publishers.withLock { $0.insert(publisher) }
        }
        let count = publishers.withLock { $0.count }
        #expect(count == 1)
    }

    @Test("Objects may be observed and released on all threads at once")
    func objects() {
        final class Model: ObservableObject { @Published var count = 0 }
        let received = SharedCount()
        storm { _, round in
            let model = Model()
            let subscription = model.objectWillChange.sink { received.add(1) }
            model.count = round
            subscription.cancel()
        }
        #expect(received.value == all)
    }

    @Test("Requests and cancellation may come from other threads")
    func requests() {
        let overlap = Overlap()
        let recorder = Recorder<Int, Never>(.none) { value in
            overlap.enter(value)
            return .none
        }
        (0..<all).publisher.subscribe(recorder)
        let shared = UncheckedBox(recorder)
        storm { _, _ in shared.value.request(.max(1)) }
        #expect(overlap.values == Array(0..<all))
        #expect(overlap.overlaps == 0)
    }

    @Test("A cancellable that several threads cancel acts once")
    func cancelOnce() {
        let count = SharedCount()
        let cancellables = UncheckedBox((0..<Self.rounds).map { _ in AnyCancellable { count.add(1) } })
        storm { _, round in cancellables.value[round].cancel() }
        #expect(count.value == Self.rounds)
    }

    @Test("receive(on:) keeps the order, even on a concurrent queue")
    func receiveOnConcurrentQueue() async {
        let overlap = Overlap()
        let total = Self.rounds
        await withCheckedContinuation { continuation in
            let subscription = (0..<total).publisher.receive(on: DispatchQueue.global()).sink(
                receiveCompletion: { _ in continuation.resume() }, receiveValue: { overlap.enter($0) })
            let kept = UncheckedBox(subscription)
            Self.kept.withLock { $0.append(kept) }
        }
        #expect(overlap.values == Array(0..<total))
        #expect(overlap.overlaps == 0)
    }

    /// Subscriptions that live as long as the process.
    private static let kept = Mutex<[UncheckedBox<AnyCancellable>]>([])
}
