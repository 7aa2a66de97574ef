import Combine

/// A subscriber that requests as it is told, and records what it receives, in words.
final class Recorder<Input, Failure: Error>: Subscriber {
    private let first: Subscribers.Demand
    private let answer: (Input) -> Subscribers.Demand
    private(set) var events: [String] = []
    private(set) var subscription: (any Subscription)?

    init(_ first: Subscribers.Demand = .unlimited, answer: @escaping (Input) -> Subscribers.Demand = { _ in .none }) {
        self.first = first
        self.answer = answer
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if first > .none { subscription.request(first) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        events.append("\(input)")
        return answer(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: events.append("finished")
        case .failure(let error): events.append("failed: \(error)")
        }
    }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
    func cancel() { subscription?.cancel() }
}

extension Publisher {
    /// Subscribes a new recorder.
    func record(
        _ first: Subscribers.Demand = .unlimited, answer: @escaping (Output) -> Subscribers.Demand = { _ in .none }
    ) -> Recorder<Output, Failure> {
        let recorder = Recorder<Output, Failure>(first, answer: answer)
        subscribe(recorder)
        return recorder
    }
}
