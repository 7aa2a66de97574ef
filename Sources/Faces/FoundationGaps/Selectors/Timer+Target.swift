public import Foundation

extension Timer {
    /// Returns a timer on the current run loop, which calls a method of an object and keeps that alive until it is
    /// invalid.
    ///
    /// - Parameters:
    ///   - interval: The time until the first call, and between the calls.
    ///   - target: The object whose method is called.
    ///   - selector: The method, which takes the timer or nothing.
    ///   - userInfo: Anything, which the method finds in the timer.
    ///   - repeats: True if the method is called until the timer is invalidated.
    @discardableResult
    public class func scheduledTimer(
        timeInterval interval: TimeInterval, target: AnyObject, selector: Selector, userInfo: Any?, repeats: Bool
    ) -> Timer {
        let first = Date(timeIntervalSinceNow: interval)
        let timer = TargetTimer.make(at: first, interval, target, selector, userInfo, repeats: repeats)
        RunLoop.current.add(timer, forMode: .default)
        return timer
    }
}
