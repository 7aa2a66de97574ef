package import LinkProtocol

extension DeviceEngine {
    /// The times at which the engine wants to be called. Each is looked up when it may have become earlier, not at every event:
    /// to ask a table of messages for its first deadline takes a look at all of them.
    struct Alarms: Sendable {
        var messages: MonotonicTime?
        var transfers: MonotonicTime?
        var faults: MonotonicTime?
        /// The next try to give the first watch what waits for it, unless the store has done so.
        var adopting: MonotonicTime?
        /// Ends of tries that wait to be settled together.
        var endings: MonotonicTime?
        /// Transfers that the delegate was told of, to be forgotten together.
        var forgetting: MonotonicTime?
        /// Transfers that the delegate had, to be removed together.
        var removing: MonotonicTime?
        /// The next try to read the inbox, and to read the ends that the delegate does not know, after the database failed.
        var reading: MonotonicTime?
        var readingEnded: MonotonicTime?
        /// The next try to keep what is known of watches, after the database failed.
        var recordingCompanions: MonotonicTime?
        /// Arrivals that are kept back from the delegate.
        var release: MonotonicTime?
        /// The next change of a reachability that flaps.
        var flap: MonotonicTime?

        var next: MonotonicTime? {
            var next: MonotonicTime?
            next.bringForward(to: messages)
            next.bringForward(to: transfers)
            next.bringForward(to: faults)
            next.bringForward(to: adopting)
            next.bringForward(to: endings)
            next.bringForward(to: forgetting)
            next.bringForward(to: removing)
            next.bringForward(to: reading)
            next.bringForward(to: readingEnded)
            next.bringForward(to: recordingCompanions)
            next.bringForward(to: release)
            next.bringForward(to: flap)
            return next
        }
    }

    /// When ``deadlinePassed(at:)`` has something to do.
    package var nextDeadline: MonotonicTime? {
        // In place: a getter that does not change the engine would be given a copy of it.
        mutating get { alarms.next }
    }

    /// Does what was put off until now.
    package mutating func deadlinePassed(at moment: Moment) {
        if isDue(\.messages, moment) {
            perform(session.deadlinePassed(at: moment.time), at: moment)
            alarms.messages = session.nextDeadline
        }
        if isDue(\.faults, moment) {
            for passage in faults.deadlinePassed(at: moment.time) { pass(passage, at: moment) }
            alarms.faults = faults.nextDeadline
        }
        if isDue(\.adopting, moment) { adoptAgain(at: moment) }
        if isDue(\.endings, moment) { settleEndings(at: moment) }
        if isDue(\.transfers, moment) {
            perform(transfers.deadlinePassed(at: moment.time, jitter: jitter()), at: moment)
            alarms.transfers = transfers.nextDeadline
        }
        if isDue(\.forgetting, moment) { forgetTold(at: moment) }
        if isDue(\.removing, moment) { removeDelivered(at: moment) }
        if isDue(\.reading, moment) { pump() }
        if isDue(\.readingEnded, moment) { emit(.readEnded) }
        if isDue(\.recordingCompanions, moment) { recordCompanions() }
        if isDue(\.release, moment) { releaseKeptBack(at: moment) }
        if isDue(\.flap, moment) { setReachability(reachabilityFault.flapped, at: moment) }
    }

    /// Turns off an alarm that is due.
    ///
    /// - Returns: Whether it was due.
    private mutating func isDue(_ alarm: WritableKeyPath<Alarms, MonotonicTime?>, _ moment: Moment) -> Bool {
        guard let time = alarms[keyPath: alarm], time <= moment.time else { return false }
        alarms[keyPath: alarm] = nil
        return true
    }
}
