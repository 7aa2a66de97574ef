/// The phone's record of the code that a new watch must send once.
package struct PairingCode: Equatable, Sendable {
    /// Attempts per code, right or wrong. 5: enough for typing errors; guessing one of 10⁸ codes takes 10⁷ times more.
    package static let attempts = 5
    /// The digits of a code. 8: short enough to type on a watch.
    package static let digits = 8

    /// The salted hash; the code itself is not stored.
    package let hash: String
    package private(set) var attemptsLeft: Int

    package init(hash: String, attemptsLeft: Int = PairingCode.attempts) {
        self.hash = hash
        self.attemptsLeft = attemptsLeft
    }

    /// Counts an attempt and returns true, or returns false if none is left.
    package mutating func spendAttempt() -> Bool {
        guard attemptsLeft > 0 else { return false }
        attemptsLeft -= 1
        return true
    }
}
