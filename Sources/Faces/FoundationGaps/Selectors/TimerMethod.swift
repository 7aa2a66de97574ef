import Foundation
import Locking

/// The method that a timer calls, with its object, which it keeps alive until the timer is invalid.
// Proof of `@unchecked Sendable`: the selector is constant, and the object behind a lock; its method is called on the
// thread of the timer's run loop.
final class TimerMethod: @unchecked Sendable {
    private let target: Mutex<UncheckedBox<AnyObject>?>
    private let selector: Selector
    private let repeats: Bool

    init(_ target: AnyObject, _ selector: Selector, repeats: Bool) {
        self.target = Mutex(UncheckedBox(target))
        self.selector = selector
        self.repeats = repeats
    }

    func call(_ timer: Timer) {
        guard let target = target.withLock({ $0 }) else { return }
        selector.perform(on: target.value, with: timer)
        if !repeats { letGo() }
    }

    /// Lets the object go. Foundation on Linux keeps what an invalid timer would call.
    func letGo() { target.withLock { $0 = nil } }
}
