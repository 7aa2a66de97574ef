import Foundation

/// A timer that calls a method, and has something of its creator with it.
final class TargetTimer: Timer {
    private var info: Any?
    private var method: TimerMethod?

    override var userInfo: Any? { info }

    override func invalidate() {
        super.invalidate()
        method?.letGo()
    }

    static func make(
        at date: Date, _ interval: TimeInterval, _ target: AnyObject, _ selector: Selector, _ userInfo: Any?,
        repeats: Bool
    ) -> TargetTimer {
        let method = TimerMethod(target, selector, repeats: repeats)
        let timer = TargetTimer(fire: date, interval: interval, repeats: repeats) { method.call($0) }
        (timer.info, timer.method) = (userInfo, method)
        return timer
    }
}
