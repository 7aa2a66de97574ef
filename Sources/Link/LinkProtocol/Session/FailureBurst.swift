/// Detects messages that are sent again without a pause: many that fail at once, in a short time.
package struct FailureBurst: Sendable {
    /// The length of a burst, one second: an app that waits before it sends again waits longer.
    package static let span: Duration = .seconds(1)
    /// The failures that make a burst, 100: more than an app has to tell at one time.
    package static let size = 100

    private var start: MonotonicTime?
    private var failures = 0

    package init() {}

    /// Records a message that failed at once.
    ///
    /// - Returns: True if it completes a burst.
    package mutating func failed(at time: MonotonicTime) -> Bool {
        if start.map({ time >= $0 + Self.span }) ?? true { (start, failures) = (time, 0) }
        failures += 1
        return failures == Self.size
    }
}
