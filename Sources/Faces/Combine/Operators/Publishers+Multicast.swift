extension Publishers {
    /// A publisher that sends the values of its upstream through one subject to all subscribers.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the values.
        public let upstream: Upstream
        /// The closure that makes the subject.
        public let createSubject: () -> SubjectType
        private let subject = Guarded<SubjectType?>(nil)

        /// Creates a publisher from its upstream and a closure that makes a subject.
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            shared().subscribe(subscriber)
        }

        public func connect() -> any Cancellable { upstream.subscribe(shared()) }

        private func shared() -> SubjectType {
            if let existing = subject.with({ $0 }) { return existing }
            let new = createSubject()
            return subject.with { subject in
                let shared = subject ?? new
                subject = shared
                return shared
            }
        }
    }
}

extension Publisher {
    /// Sends the values through one subject to all subscribers.
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Sends the values through a subject to all subscribers.
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        multicast { subject }
    }
}
