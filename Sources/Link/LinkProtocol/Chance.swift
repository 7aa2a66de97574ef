/// The source of random decisions about faults and delays: a seed or, under virtual time, the world's numbered
/// decisions. Either way faults can be reproduced; numbered decisions can also be left out to minimize a failure.
package struct Chance: Sendable {
    /// The kind of a decision, with the number that a world uses for it.
    package enum Question: UInt32, CaseIterable, Sendable {
        case latency = 5
        case fault = 6
    }

    /// Draws a number below `options`. The result is 0 except one time in `oneIn`; if `oneIn` is 1, all numbers are
    /// equally likely. 0 is the uneventful choice: no delay, no fault. A world counts its decisions per subject and
    /// inserts the count in place of “#”.
    package typealias Decider =
        @Sendable (_ question: Question, _ subject: String, _ options: UInt32, _ oneIn: UInt32) -> UInt32

    private enum Source: Sendable {
        case seed(SeededGenerator)
        case decisions(Decider)
    }

    /// The placeholder in a subject for the number of decisions so far on that subject.
    package static let numberMark = "#"

    /// The resolution of a delay: 1,000 steps.
    static let parts: UInt32 = 1_000

    private var source: Source

    package init(seed: UInt64) { source = .seed(SeededGenerator(seed: seed)) }

    package init(deciding decide: @escaping Decider) { source = .decisions(decide) }

    /// Returns true with the given probability. Decisions use the nearest probability of the form 1/n or 1 − 1/n.
    ///
    /// - Parameter subject: The event in words, if it happens: “outgoing reply # is dropped”.
    package mutating func happens(_ probability: Double, _ subject: @autoclosure () -> String) -> Bool {
        switch source {
        case .seed(var generator):
            defer { source = .seed(generator) }
            return generator.happens(probability)
        case .decisions(let decide):
            guard probability > 0 else { return false }
            guard probability < 1 else { return true }
            if probability <= 0.5 {
                return decide(.fault, subject(), 2, UInt32(clamping: Self.whole(1 / probability))) != 0
            }
            return decide(.fault, subject(), UInt32(clamping: Self.whole(1 / (1 - probability))), 1) != 0
        }
    }

    /// Returns a fraction of the longest delay, in 0..<1.
    ///
    /// - Parameters:
    ///   - oneIn: The result is 0 except one time in this many.
    ///   - subject: The delayed object, in words.
    package mutating func part(oneIn: UInt32 = 1, _ subject: @autoclosure () -> String) -> Double {
        switch source {
        case .seed(var generator):
            defer { source = .seed(generator) }
            if oneIn > 1, !generator.happens(1 / Double(oneIn)) { return 0 }
            return generator.unit()
        case .decisions(let decide):
            return Double(decide(.latency, subject(), Self.parts, oneIn)) / Double(Self.parts)
        }
    }

    /// Returns a number from 0, the uneventful choice, to `count` − 1, all equally likely; 0 if `count` is less than 2.
    package mutating func number(below count: Int, _ subject: @autoclosure () -> String) -> Int {
        guard let options = UInt32(exactly: count), options > 1 else { return 0 }
        switch source {
        case .seed(var generator):
            defer { source = .seed(generator) }
            return Int.random(in: 0..<count, using: &generator)
        case .decisions(let decide):
            return Int(decide(.fault, subject(), options, 1))
        }
    }

    /// Returns an independent source for one component: draws from its seed do not affect other components.
    package mutating func branch() -> Chance {
        guard case .seed(var generator) = source else { return self }
        defer { source = .seed(generator) }
        return Chance(seed: generator.next())
    }

    /// Rounds to a whole number from 2 to 2³²; the inverse of a tiny probability does not fit an integer.
    private static func whole(_ number: Double) -> UInt64 { UInt64(min(max(2, number.rounded()), 0x1p32)) }
}
