/// The code that a new watch must show once, as the phone keeps it.
package struct PairingCode: Equatable, Sendable {
    /// Tries of one code, right or wrong. 5: enough for slips of the finger; guessing one of 10⁸ codes takes 10⁷ times as many.
    package static let attempts = 5
    /// Digits of a code. 8: short enough to type on a watch.
    package static let digits = 8

    /// Salted; the code itself is kept by nobody.
    package let hash: String
    package private(set) var attemptsLeft: Int

    package init(hash: String, attemptsLeft: Int = PairingCode.attempts) {
        self.hash = hash
        self.attemptsLeft = attemptsLeft
    }

    /// A watch showed a code, which is worth a look only while attempts are left.
    package mutating func spendAttempt() -> Bool {
        guard attemptsLeft > 0 else { return false }
        attemptsLeft -= 1
        return true
    }
}
