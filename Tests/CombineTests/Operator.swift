import Combine
import Testing

/// Operators that pass errors and cancellation on.
struct Operator: CaseIterable, Sendable, CustomTestStringConvertible {
    static let allCases = [
        Operator("map") { source, _ in source.map { $0 }.eraseToAnyPublisher() },
        Operator("filter") { source, _ in source.filter { _ in true }.eraseToAnyPublisher() },
        Operator("scan") { source, _ in source.scan(0, +).eraseToAnyPublisher() },
        Operator("removeDuplicates") { source, _ in source.removeDuplicates().eraseToAnyPublisher() },
        Operator("first") { source, _ in source.first().eraseToAnyPublisher() },
        Operator("prefix") { source, _ in source.prefix(2).eraseToAnyPublisher() },
        Operator("dropFirst") { source, _ in source.dropFirst().eraseToAnyPublisher() },
        Operator("handleEvents") { source, _ in source.handleEvents().eraseToAnyPublisher() },
        Operator("share") { source, _ in source.share().eraseToAnyPublisher() },
        Operator("merge") { source, _ in source.merge(with: Empty<Int, Problem>()).eraseToAnyPublisher() },
        Operator("zip") { source, _ in
            source.zip(PassthroughSubject<Int, Problem>()).map { $0.0 }.eraseToAnyPublisher()
        },
        Operator("combineLatest") { source, _ in
            source.combineLatest(PassthroughSubject<Int, Problem>()).map { $0.0 }.eraseToAnyPublisher()
        },
        Operator("flatMap") { source, _ in
            source.flatMap { Just($0).setFailureType(to: Problem.self) }.eraseToAnyPublisher()
        },
        Operator("switchToLatest") { source, _ in
            source.map { Just($0).setFailureType(to: Problem.self) }.switchToLatest().eraseToAnyPublisher()
        },
        Operator("catch") { source, _ in source.catch { Fail(error: $0) }.eraseToAnyPublisher() },
        Operator("append") { source, _ in source.append(5).eraseToAnyPublisher() },
        Operator("debounce") { source, scheduler in
            source.debounce(for: 1, scheduler: scheduler).eraseToAnyPublisher()
        },
        Operator("throttle") { source, scheduler in
            source.throttle(for: 1, scheduler: scheduler, latest: true).eraseToAnyPublisher()
        },
        Operator("delay") { source, scheduler in source.delay(for: 1, scheduler: scheduler).eraseToAnyPublisher() },
        Operator("receive(on:)") { source, scheduler in source.receive(on: scheduler).eraseToAnyPublisher() },
        Operator("timeout") { source, scheduler in
            source.timeout(1, scheduler: scheduler).eraseToAnyPublisher()
        },
    ]
    let testDescription: String
    let apply: @Sendable (Source<Int, Problem>, VirtualScheduler) -> AnyPublisher<Int, Problem>

    init(
        _ name: String,
        _ apply: @escaping @Sendable (Source<Int, Problem>, VirtualScheduler) -> AnyPublisher<Int, Problem>
    ) {
        testDescription = name
        self.apply = apply
    }
}
