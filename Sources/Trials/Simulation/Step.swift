package import LinkProtocol

/// One thing that a run does to its devices, at a time that its seed chose.
package struct Step: Equatable, Sendable, CustomStringConvertible {
    package enum Deed: Equatable, Sendable {
        // What an application does.
        case submit(watch: Int, isValid: Bool)
        case message(from: Int, to: Int, replies: Bool)
        case userInfo(from: Int, to: Int)
        case complication(to: Int)
        case context(from: Int, to: Int)
        case file(from: Int, to: Int, chunks: Int)
        case cancel(from: Int)
        /// It activates its session, which it has done before.
        case activate(Int)

        // What a person does.
        case enter(Int, ApplicationState)
        case wristDown(Int, Bool)
        case reboot
        case unlock
        case switchTo(Int)

        // What fails.
        case crash(Int, down: Duration)
        /// A new version of the program; the other devices get it later.
        case upgrade(Int, others: Duration)
        case pause(Int, Duration)
        case cut(watch: Int)
        case ghost(watch: Int)
        case linkUp(watch: Int, Bool)
        case stall(watch: Int, Duration)
        case latency(Duration)
        case diskFull(Int, Duration, failures: Double)
        /// Each operation takes up to so much longer for a while.
        case diskBusy(Int, Duration, slowness: Duration)
        case clockJump(Int, seconds: Double)
        /// Packages of this node meet a rule of faults for a while.
        case packages(Int, FaultRule, Duration)
        /// Its idea of who is reachable goes wrong for a while.
        case reachability(Int, ReachabilityFault, Duration)
    }

    package let time: MonotonicTime
    package let deed: Deed

    package var description: String { "\(Double(time.nanoseconds) / 1e9) s: \(deed)" }
}
