import Locking

/// A subscriber whose values a task awaits one by one.
// Proof of `@unchecked Sendable`: the state is guarded; values pass from the publisher to the one task that awaits them.
final class AwaitedValues<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    typealias Answer = Result<Input, Failure>?

    private struct State {
        var upstream = Upstream()
        /// The calls that wait, and requests made before the subscription came.
        var waiting = Queue<CheckedContinuation<UncheckedBox<Answer>, Never>>()
        var requested = Subscribers.Demand.none
        var failure: Failure?
        var isEnded = false
    }

    private let state = Guarded(State())

    deinit { end(nil)?.cancel() }

    func next() async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in request(continuation) }
        } onCancel: {
            end(nil)?.cancel()
        }.value
    }

    func receive(subscription: any Subscription) {
        let requested = state.with { state -> Subscribers.Demand? in
            !state.isEnded && state.upstream.take(subscription) ? state.requested : nil
        }
        guard let requested else { return subscription.cancel() }
        if requested > .none { subscription.request(requested) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        state.with { $0.waiting.popFirst() }?.resume(returning: UncheckedBox(.success(input)))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .failure(let error) = completion { _ = end(error) } else { _ = end(nil) }
    }

    private func request(_ continuation: CheckedContinuation<UncheckedBox<Answer>, Never>) {
        let (subscription, answer) = state.with { state -> ((any Subscription)?, UncheckedBox<Answer>?) in
            guard !state.isEnded else {
                defer { state.failure = nil }
                return (nil, UncheckedBox(state.failure.map { .failure($0) }))
            }
            state.waiting.append(continuation)
            state.requested += 1
            return (state.upstream.subscription, nil)
        }
        if let answer { return continuation.resume(returning: answer) }
        subscription?.request(.max(1))
    }

    /// Ends the sequence: the first call that waits, or else the next one, receives the error.
    private func end(_ failure: Failure?) -> (any Subscription)? {
        let old = state.with { state -> State? in
            guard !state.isEnded else { return nil }
            let old = state
            state = State(upstream: .ended, failure: old.waiting.isEmpty ? failure : nil, isEnded: true)
            return old
        }
        guard var waiting = old?.waiting else { return nil }
        var answer: Answer = failure.map { .failure($0) }
        while let continuation = waiting.popFirst() {
            continuation.resume(returning: UncheckedBox(answer))
            answer = nil
        }
        return old?.upstream.subscription
    }
}
