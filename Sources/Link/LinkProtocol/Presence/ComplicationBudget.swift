/// How many transfers for a complication may still be made today.
package struct ComplicationBudget: Equatable, Sendable {
    /// Apple's number.
    package static let transfersPerDay = 50

    /// The day that ``used`` counts, as days since 1970 by the wall clock where the phone is.
    package private(set) var day: Int
    package private(set) var used: Int

    package init(day: Int = 0, used: Int = 0) {
        self.day = day
        self.used = used
    }

    package func remaining(on today: Int) -> Int {
        today == day ? max(0, Self.transfersPerDay - used) : Self.transfersPerDay
    }

    /// Whether one more may be made today; it is counted.
    package mutating func use(on today: Int) -> Bool {
        if today != day { self = ComplicationBudget(day: today) }
        guard used < Self.transfersPerDay else { return false }
        used += 1
        return true
    }
}
