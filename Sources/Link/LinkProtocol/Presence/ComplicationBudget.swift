/// The number of complication transfers left today.
package struct ComplicationBudget: Equatable, Sendable {
    /// Apple's limit.
    package static let transfersPerDay = 50

    /// The day to which ``used`` applies: days since 1970 by the phone's local wall clock.
    package private(set) var day: Int
    package private(set) var used: Int

    package init(day: Int = 0, used: Int = 0) {
        self.day = day
        self.used = used
    }

    package func remaining(on today: Int) -> Int {
        today == day ? max(0, Self.transfersPerDay - used) : Self.transfersPerDay
    }

    /// Uses one transfer and returns true, or returns false if none is left today.
    package mutating func use(on today: Int) -> Bool {
        if today != day { self = ComplicationBudget(day: today) }
        guard used < Self.transfersPerDay else { return false }
        used += 1
        return true
    }
}
