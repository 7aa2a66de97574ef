/// Decides what trouble leaves to chance: by a seed or, in a world of virtual time, by the world's numbered decisions, so that each fault can be
/// brought about again, and left out when a failure is made small.
package struct Chance: Sendable {
    /// What a decision is about, with the numbers that a world has for it.
    package enum Question: UInt32, CaseIterable, Sendable {
        case latency = 5
        case fault = 6
    }

    /// Draws a number below `options`: 0 except one time in `oneIn`; with 1 each is as likely. 0 is the dullest: no delay, no fault. A world counts
    /// how often it was asked about a subject, and shows that in place of “#”.
    package typealias Decider =
        @Sendable (_ question: Question, _ subject: String, _ options: UInt32, _ oneIn: UInt32) -> UInt32

    private enum Source: Sendable {
        case seed(SeededGenerator)
        case decisions(Decider)
    }

    /// In a subject this stands for how often it was asked about.
    package static let numberMark = "#"

    /// 1,000: a delay is shortened in steps of its thousandth part.
    static let parts: UInt32 = 1_000

    private var source: Source

    package init(seed: UInt64) { source = .seed(SeededGenerator(seed: seed)) }

    package init(deciding decide: @escaping Decider) { source = .decisions(decide) }

    /// True if something of this probability happens. Decisions have the nearest probability that is one part, or all but one, of a whole number.
    ///
    /// - Parameter subject: What happens then, in words: “outgoing reply # is dropped”.
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

    /// A part of the longest delay, in 0..<1.
    ///
    /// - Parameters:
    ///   - oneIn: It is 0 except one time in so many.
    ///   - subject: What is late, in words.
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

    /// One of so many possibilities, as a number from 0, the dullest; each is as likely. With less than two it is 0.
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

    /// A source for a part of the whole: what one draws from its seed changes nothing for another.
    package mutating func branch() -> Chance {
        guard case .seed(var generator) = source else { return self }
        defer { source = .seed(generator) }
        return Chance(seed: generator.next())
    }

    /// The nearest whole number of 2 or more; a probability may be so small that its inverse is none.
    private static func whole(_ number: Double) -> UInt64 { UInt64(min(max(2, number.rounded()), 0x1p32)) }
}
