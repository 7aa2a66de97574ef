extension Subscribers {
    /// The end of a sequence of values.
    public enum Completion<Failure: Error> {
        /// The publisher finished normally.
        case finished
        /// The publisher stopped because of an error.
        case failure(Failure)

        /// Returns the same end with another type of error.
        func mapError<Other>(_ transform: (Failure) -> Other) -> Completion<Other> {
            switch self {
            case .finished: .finished
            case .failure(let error): .failure(transform(error))
            }
        }
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}
