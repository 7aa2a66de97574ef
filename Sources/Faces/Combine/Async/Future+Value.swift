import Locking

extension Future {
    /// The value of the future, once its promise is kept; throws its error.
    public var value: Output {
        get async throws { try await result.get() }
    }

    private var result: Result<Output, Failure> {
        get async {
            await withCheckedContinuation { continuation in
                whenFulfilled(nil) { continuation.resume(returning: UncheckedBox($0)) }
            }.value
        }
    }
}

extension Future where Failure == Never {
    /// The value of the future, once its promise is kept.
    public var value: Output {
        get async { await result.get() }
    }
}
