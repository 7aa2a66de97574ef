import Dispatch
public import Foundation
import Locking

extension Timer {
    /// A publisher of the time, again and again, once it is connected.
    public final class TimerPublisher: ConnectablePublisher {
        /// The type of the values.
        public typealias Output = Date
        /// The publisher cannot fail.
        public typealias Failure = Never

        /// The time between two values.
        public let interval: TimeInterval
        /// The tolerance of the timer.
        public let tolerance: TimeInterval?
        /// The run loop of the timer.
        public let runLoop: RunLoop
        /// The mode of the run loop in which the timer fires.
        public let mode: RunLoop.Mode
        private let ports = Ports<Date, Never>()

        /// Creates a publisher.
        public init(interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode) {
            self.interval = interval
            self.tolerance = tolerance
            self.runLoop = runLoop
            self.mode = mode
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            ports.attach(subscriber)
        }

        public func connect() -> any Cancellable {
            let ports = UncheckedBox(ports)
            guard runLoop.isServed else {
                let queue = DispatchQueue.main
                return queue.schedule(
                    after: queue.now.advanced(by: .seconds(interval)), interval: .seconds(interval)
                ) { ports.value.send(Date()) }
            }
            // Without a date, a timer that is added while its run loop runs fires at once.
            let timer = Timer(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true) { _ in
                ports.value.send(Date())
            }
            timer.tolerance = tolerance ?? 0
            runLoop.add(timer, forMode: mode)
            let box = UncheckedBox(timer)
            return AnyCancellable { box.value.invalidate() }
        }
    }

    /// Returns a publisher of the time, again and again, once it is connected.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
    }
}
