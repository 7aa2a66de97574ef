/// The state of a device that outlasts its programs.
struct Surroundings {
    /// The total shift of the time-of-day clock, in nanoseconds.
    private(set) var clockShift: Int64 = 0
    var isDiskFull = false

    /// Shifts the clock, which stays within ``Deed/farthestClock`` of its initial time, so that no time is before 1970.
    mutating func setClock(by duration: Duration) {
        let farthest = Deed.farthestClock.nanoseconds
        clockShift = min(max(clockShift + duration.nanoseconds, -farthest), farthest)
    }
}
