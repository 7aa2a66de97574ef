/// A closure that is called when a time has passed since the alarm was last set.
final class Alarm<Context: Scheduler> {
    private struct State {
        /// The number of times that the alarm was set or cancelled: an outdated timer does nothing.
        var generation = 0
        var timer: (any Cancellable)?
    }

    private let interval: Context.SchedulerTimeType.Stride
    private let scheduler: Context
    private let options: Context.SchedulerOptions?
    private let state = Guarded(State())
    /// Set before the alarm is.
    var onDue: () -> Void = {}

    init(interval: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions?) {
        (self.interval, self.scheduler, self.options) = (interval, scheduler, options)
    }

    /// Sets the alarm, or sets it again.
    func set() {
        let generation = renew()
        let timer = scheduler.schedule(
            after: scheduler.now.advanced(by: interval), interval: interval, tolerance: scheduler.minimumTolerance,
            options: options
        ) { [weak self] in self?.due(generation) }
        let isCurrent = state.with { state in
            guard state.generation == generation else { return false }
            state.timer = timer
            return true
        }
        if !isCurrent { timer.cancel() }
    }

    func cancel() { _ = renew() }

    private func due(_ generation: Int) {
        guard state.with({ $0.generation == generation }) else { return }
        cancel()
        onDue()
    }

    /// Cancels the timer, and returns the number of the next one.
    private func renew() -> Int {
        let (generation, timer) = state.with { state in
            let timer = state.timer
            state.generation += 1
            state.timer = nil
            return (state.generation, timer)
        }
        timer?.cancel()
        return generation
    }
}
