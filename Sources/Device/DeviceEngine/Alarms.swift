package import LinkProtocol

extension DeviceEngine {
    /// The times at which the engine must be called. Each is recomputed when it may have become earlier, not at every
    /// event: finding the first deadline in a table of messages scans the whole table.
    struct Alarms: Sendable {
        var messages: MonotonicTime?
        var transfers: MonotonicTime?
        var faults: MonotonicTime?
        /// The next attempt to assign unaddressed transfers to the first watch, until the store has done so.
        var adopting: MonotonicTime?
        /// The time at which ended attempts are settled as one batch.
        var endings: MonotonicTime?
        /// The time at which transfers whose outcome the delegate knows are forgotten as one batch.
        var forgetting: MonotonicTime?
        /// The time at which delivered transfers are removed as one batch.
        var removing: MonotonicTime?
        /// The next attempts to read the inbox and the unreported outcomes, after a database failure.
        var reading: MonotonicTime?
        var readingEnded: MonotonicTime?
        /// The next attempt to record the watches' state, after a database failure.
        var recordingCompanions: MonotonicTime?
        /// The time at which arrivals held back from the delegate are released.
        var release: MonotonicTime?
        /// The next change while reachability flaps.
        var flap: MonotonicTime?

        var next: MonotonicTime? {
            var next = Self.number(messages)
            next = min(next, Self.number(transfers))
            next = min(next, Self.number(faults))
            next = min(next, Self.number(adopting))
            next = min(next, Self.number(endings))
            next = min(next, Self.number(forgetting))
            next = min(next, Self.number(removing))
            next = min(next, Self.number(reading))
            next = min(next, Self.number(readingEnded))
            next = min(next, Self.number(recordingCompanions))
            next = min(next, Self.number(release))
            next = min(next, Self.number(flap))
            return next == .max ? nil : MonotonicTime(nanoseconds: next)
        }

        /// All alarms, with words for what is due then: apart from ``next``, for those who check that none is missed.
        var named: [(String, MonotonicTime?)] {
            [
                ("messages", messages), ("transfers", transfers), ("faults", faults),
                ("adoption of transfers", adopting), ("ended attempts", endings),
                ("transfers to forget", forgetting), ("delivered transfers", removing),
                ("reading of the inbox", reading),
                ("reading of outcomes", readingEnded), ("record of the watches", recordingCompanions),
                ("arrivals held back", release), ("change of reachability", flap),
            ]
        }

        /// Returns an alarm as a plain number, as all are compared after every event.
        private static func number(_ alarm: MonotonicTime?) -> Int64 { alarm?.nanoseconds ?? .max }
    }

    /// The time at which ``deadlinePassed(at:)`` is due.
    package var nextDeadline: MonotonicTime? {
        // Mutating, because a nonmutating getter would copy the engine.
        mutating get { alarms.next }
    }

    /// Returns what was due before a time and is still to be done.
    package func overdue(since time: MonotonicTime) -> String? {
        // Mostly nothing is, which this learns without a list.
        guard let next = alarms.next, next < time else { return nil }
        return alarms.named.first { $0.1.map { $0 < time } ?? false }?.0
    }

    /// Performs the work that is due.
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

    /// Clears an alarm that is due.
    ///
    /// - Returns: `true` if it was due.
    private mutating func isDue(_ alarm: WritableKeyPath<Alarms, MonotonicTime?>, _ moment: Moment) -> Bool {
        guard let time = alarms[keyPath: alarm], time <= moment.time else { return false }
        alarms[keyPath: alarm] = nil
        return true
    }
}
