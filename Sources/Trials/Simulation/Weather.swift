import LinkProtocol

/// The disturbances of each device: what is sent while there are none must arrive well and soon.
///
/// Retries hide the errors of rules: an item that a rule forgot goes with the next connection. In calm weather there is
/// no next connection.
struct Weather {
    /// The times until which disturbances, and recoveries from them, may be felt.
    private var disturbedUntil: [MonotonicTime]
    /// The time that a device may need to recover: an answer lost to a fault is missed after the time-out of
    /// acknowledgements, and its transfer waits for a retry.
    private let recovery: Duration

    init(devices: Int, times: LinkTimes) {
        recovery = times.acknowledgement + .seconds(300)
        disturbedUntil = Array(repeating: MonotonicTime(nanoseconds: 0), count: devices)
    }

    /// Records a disturbance of a device that lasts until a time.
    mutating func disturb(_ device: Int, until end: MonotonicTime) {
        disturbedUntil[device] = max(disturbedUntil[device], end + recovery)
    }

    /// Records that a device starts for the first time: it needs no recovery.
    mutating func begin(_ device: Int, at time: MonotonicTime) {
        disturbedUntil[device] = max(disturbedUntil[device], time + .seconds(30))
    }

    /// Returns true if two devices had no disturbance at a time, nor one since.
    func isCalm(_ first: Int, _ second: Int, since time: MonotonicTime) -> Bool {
        disturbedUntil[first] <= time && disturbedUntil[second] <= time
    }
}
