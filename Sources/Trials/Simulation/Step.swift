package import LinkProtocol

/// One action that a run applies to its devices, at a time chosen by its seed.
package struct Step: Equatable, Sendable, CustomStringConvertible {
    package enum Deed: Equatable, Sendable {
        // Actions of an application.
        case submit(watch: Int, isValid: Bool)
        case message(from: Int, to: Int, replies: Bool)
        case userInfo(from: Int, to: Int)
        case complication(to: Int)
        case context(from: Int, to: Int)
        case file(from: Int, to: Int, chunks: Int)
        case cancel(from: Int)
        /// Activates its session again.
        case activate(Int)

        // Actions of a person, in the words of all programs, and those that take some time.
        case device(Int, DeviceDeed)
        case watch(Int, WatchDeed.Change)
        /// The watch's app is removed, on the phone or on the watch itself, and installed again later.
        case withoutApp(watch: Int, onPhone: Bool, Duration)
        /// The phone's app is removed, and installed again later.
        case phoneWithoutApp(Duration)
        /// The watch is unpaired, and paired again later.
        case unpaired(watch: Int, Duration)

        // Failures.
        case crash(Int, down: Duration)
        /// A new version of the program; the other devices are upgraded later.
        case upgrade(Int, others: Duration)
        case pause(Int, Duration)
        case cut(watch: Int)
        case ghost(watch: Int)
        case stall(watch: Int, Duration)
        case latency(Duration)
        case diskFull(Int, Duration, failures: Double)
        /// Each operation takes up to this much longer for a while.
        case diskBusy(Int, Duration, slowness: Duration)
        case clockJump(Int, seconds: Double)
        /// A fault rule applies to packages of this node for a while.
        case packages(Int, FaultRule, Duration)
        /// The node's view of reachability is wrong for a while.
        case reachability(Int, ReachabilityFault, Duration)
    }

    package let time: MonotonicTime
    package let deed: Deed

    package var description: String { "\(Double(time.nanoseconds) / 1e9) s: \(deed)" }
}
