import Combine
import Locking
import Testing

@Suite("Values for tasks")
struct AsyncTests {
    @Test("The values of a publisher are awaited one by one")
    func values() async {
        var values: [Int] = []
        for await value in (1...5).publisher.values { values.append(value) }
        #expect(values == [1, 2, 3, 4, 5])
    }

    @Test("An error ends the values")
    func errors() async {
        var values: [Int] = []
        let publisher = [1, 2].publisher.setFailureType(to: Problem.self).append(Fail(error: Problem()))
        let thrown = await #expect(throws: Problem.self) {
            for try await value in publisher.values { values.append(value) }
        }
        #expect(values == [1, 2])
        #expect(thrown == Problem())
    }

    @Test("One value is requested for each call")
    func demand() async {
        let source = Source<Int, Never>()
        var iterator = (1...3).publisher.handleEvents(receiveRequest: { source.request($0) }).values
            .makeAsyncIterator()
        #expect(source.calls == [])
        _ = await iterator.next()
        #expect(source.calls == ["request max(1)"])
        _ = await iterator.next()
        #expect(source.calls == ["request max(1)", "request max(1)"])
    }

    @Test("A cancelled task gets no value, and cancels the subscription")
    func cancellation() async {
        let subject = UncheckedBox(PassthroughSubject<Int, Never>())
        let (waiting, cancelled) = (AsyncStream<Void>.makeStream(), SharedFlag())
        let task = Task {
            let publisher = subject.value.handleEvents(
                receiveCancel: { cancelled.set() }, receiveRequest: { _ in waiting.continuation.yield() })
            var iterator = publisher.values.makeAsyncIterator()
            return await iterator.next()
        }
        for await _ in waiting.stream { break }
        task.cancel()
        let value = await task.value
        #expect(value == nil)
        #expect(cancelled.isSet)
    }

    @Test("A future's value is awaited, now or later")
    func future() async throws {
        let now = await Future<Int, Never> { $0(.success(1)) }.value
        #expect(now == 1)
        let later = await Future<Int, Never> { promise in
            let kept = UncheckedBox(promise)
            Task { kept.value(.success(2)) }
        }.value
        #expect(later == 2)
        let thrown = await #expect(throws: Problem.self) {
            try await Future<Int, Problem> { $0(.failure(Problem())) }.value
        }
        #expect(thrown == Problem())
    }
}
