/// Decides what trouble leaves to chance: by a seed or, in a world of virtual time, by the world's numbered decisions, so that each fault can be
/// brought about again, and left out when a failure is made small.
package struct Chance: Sendable {
    /// What a decision is about, with the numbers that a world has for it.
    package enum Question: UInt32, CaseIterable, Sendable {
        case latency = 5
        case fault = 6
    }

    /// Draws a number below `options`: 0 except one time in `oneIn`; with 1 each is as likely. 0 is the dullest: no delay, no fault.
    package typealias Decider = @Sendable (_ question: Question, _ options: UInt32, _ oneIn: UInt32) -> UInt32

    private enum Source: Sendable {
        case seed(SeededGenerator)
        case decisions(Decider)
    }

    /// 1,000: a delay is shortened in steps of its thousandth part.
    static let parts: UInt32 = 1_000

    private var source: Source

    package init(seed: UInt64) { source = .seed(SeededGenerator(seed: seed)) }

    package init(deciding decide: @escaping Decider) { source = .decisions(decide) }

    /// True if something of this probability happens. Decisions have the nearest probability that is one part, or all but one, of a whole number.
    package mutating func happens(_ probability: Double) -> Bool {
        switch source {
        case .seed(var generator):
            defer { source = .seed(generator) }
            return generator.happens(probability)
        case .decisions(let decide):
            guard probability > 0 else { return false }
            guard probability < 1 else { return true }
            if probability <= 0.5 { return decide(.fault, 2, UInt32(clamping: Self.whole(1 / probability))) != 0 }
            return decide(.fault, UInt32(clamping: Self.whole(1 / (1 - probability))), 1) != 0
        }
    }

    /// A part of the longest delay, in 0..<1.
    ///
    /// - Parameter oneIn: It is 0 except one time in so many.
    package mutating func part(oneIn: UInt32 = 1) -> Double {
        switch source {
        case .seed(var generator):
            defer { source = .seed(generator) }
            if oneIn > 1, !generator.happens(1 / Double(oneIn)) { return 0 }
            return generator.unit()
        case .decisions(let decide):
            return Double(decide(.latency, Self.parts, oneIn)) / Double(Self.parts)
        }
    }

    /// A source for a part of the whole: what one draws from its seed changes nothing for another.
    package mutating func branch() -> Chance {
        guard case .seed(var generator) = source else { return self }
        defer { source = .seed(generator) }
        return Chance(seed: generator.next())
    }

    /// The nearest whole number of 2 or more; a probability may be so small that its inverse is none.
    private static func whole(_ number: Double) -> UInt64 { UInt64(min(max(2, number.rounded()), 0x1p32)) }
}
