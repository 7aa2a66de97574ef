public import Foundation

/// A class whose objects can be timers that call a method: `Timer`. A protocol, because only its initialisers can make an
/// object of a subclass.
public protocol TimerOfTarget {}

extension Timer: TimerOfTarget {}

extension TimerOfTarget where Self: Timer {
    /// Makes a timer that calls a method of an object, which it keeps alive until it is invalid. Add it to a run loop.
    ///
    /// - Parameters:
    ///   - interval: The time until the first call, and between the calls.
    ///   - target: The object whose method is called.
    ///   - selector: The method, which takes the timer or nothing.
    ///   - userInfo: Anything, which the method finds in the timer.
    ///   - repeats: True if the method is called until the timer is invalidated.
    public init(
        timeInterval interval: TimeInterval, target: AnyObject, selector: Selector, userInfo: Any?, repeats: Bool
    ) {
        self.init(
            fireAt: Date(timeIntervalSinceNow: interval), interval: interval, target: target, selector: selector,
            userInfo: userInfo, repeats: repeats)
    }

    /// Makes a timer that calls a method of an object for the first time at a date. Add it to a run loop.
    public init(
        fireAt date: Date, interval: TimeInterval, target: AnyObject, selector: Selector, userInfo: Any?, repeats: Bool
    ) {
        let timer = TargetTimer.make(at: date, interval, target, selector, userInfo, repeats: repeats)
        self = unsafeDowncast(timer, to: Self.self)
    }
}
