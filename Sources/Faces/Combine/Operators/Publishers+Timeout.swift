extension Publishers {
    /// A publisher that ends when no value comes for a time.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The time.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler.
        public let scheduler: Context
        /// The options of the scheduler.
        public let options: Context.SchedulerOptions?
        /// The error with which the publisher ends; it finishes without one.
        public let customError: (() -> Upstream.Failure)?

        /// Creates a publisher from its upstream and its parameters.
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions?,
            customError: (() -> Upstream.Failure)?
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.options = options
            self.customError = customError
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (interval, scheduler, options, customError) = (interval, scheduler, options, customError)
            let alarm = Alarm<Context>(interval: interval, scheduler: scheduler, options: options)
            let relay = TimedRelay(
                subscriber, subscribed: { alarm.set() }, received: { alarm.set() }, ended: { alarm.cancel() },
                schedule: { scheduler.schedule(options: options, $0) })
            alarm.onDue = { [weak relay] in relay?.stop(customError.map { .failure($0()) } ?? .finished) }
            upstream.subscribe(relay)
        }
    }
}

extension Publisher {
    /// Ends when no value comes for a time.
    ///
    /// - Parameters:
    ///   - interval: The longest time without a value.
    ///   - scheduler: The scheduler on which values are sent.
    ///   - options: Options of the scheduler.
    ///   - customError: Returns the error with which it ends; nil to finish normally.
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        Publishers.Timeout(
            upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}
