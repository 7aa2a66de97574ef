@testable import VirtualTime

/// A generator whose numbers are the same in each run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 { DecisionSource.next(&state) }
}
