import TestSupport
import Testing

@testable import LinkTransport

extension EventLoop {
    /// Runs a task on the loop, and waits for its result.
    func perform<Value: Sendable>(_ task: @escaping @Sendable () throws -> Value) throws -> Value {
        let results = Collector<Result<Value, any Error>>()
        execute { results.add(Result(catching: task)) }
        results.expect { !$0.isEmpty }
        let result = try #require(results.all.first)
        return try result.get()
    }
}
