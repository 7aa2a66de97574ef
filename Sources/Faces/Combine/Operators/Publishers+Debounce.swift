extension Publishers {
    /// A publisher of values that were followed by none for a time.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The time.
        public let dueTime: Context.SchedulerTimeType.Stride
        /// The scheduler.
        public let scheduler: Context
        /// The options of the scheduler.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher from its upstream and its parameters.
        public init(
            upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.dueTime = dueTime
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Debouncer(subscriber, dueTime: dueTime, scheduler: scheduler, options: options))
        }
    }
}

extension Publisher {
    /// Sends a value once no other one has come for a time.
    ///
    /// A value that waits when this publisher ends is not sent.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
}
