extension Publishers {
    /// A publisher of one value in each interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The interval.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler.
        public let scheduler: Context
        /// True if the last value of the interval is sent; otherwise the first.
        public let latest: Bool

        /// Creates a publisher from its upstream and its parameters.
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            latest: Bool
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.latest = latest
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                Throttler(subscriber, interval: interval, scheduler: scheduler, sendsLatest: latest))
        }
    }
}

extension Publisher {
    /// Sends the first or the last value that comes in an interval.
    ///
    /// - Parameters:
    ///   - interval: The least time between two values.
    ///   - scheduler: The scheduler on which values are sent.
    ///   - latest: True if the last value is sent.
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
