@testable import VirtualTime

/// A random number generator with the same numbers in each run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 { DecisionSource.next(&state) }
}
