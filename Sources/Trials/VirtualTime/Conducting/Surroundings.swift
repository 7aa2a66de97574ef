/// What a device's program finds around it, whatever became of the program before.
struct Surroundings {
    /// The nanoseconds by which the clock that shows the time of day was set.
    private(set) var clockShift: Int64 = 0
    var isDiskFull = false

    /// Sets the clock, which stays within ``Deed/farthestClock`` of where it began: times before 1970 are none.
    mutating func setClock(by duration: Duration) {
        let farthest = Deed.farthestClock.nanoseconds
        clockShift = min(max(clockShift + duration.nanoseconds, -farthest), farthest)
    }
}
