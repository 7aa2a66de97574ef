extension Publishers {
    /// A publisher that delivers after a time.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The time.
        public let interval: Context.SchedulerTimeType.Stride
        /// The tolerance of the time.
        public let tolerance: Context.SchedulerTimeType.Stride
        /// The scheduler.
        public let scheduler: Context
        /// The options of the scheduler.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher from its upstream and its parameters.
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
            tolerance: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (interval, tolerance, scheduler, options) = (interval, tolerance, scheduler, options)
            upstream.subscribe(
                TimedRelay(subscriber) { action in
                    scheduler.schedule(
                        after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, action)
                })
        }
    }
}

extension Publisher {
    /// Delivers values and the end after a time, on a scheduler.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        Publishers.Delay(
            upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
            scheduler: scheduler, options: options)
    }
}
