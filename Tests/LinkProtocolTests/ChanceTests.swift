import Testing

@testable import LinkProtocol

@Suite("Chance")
struct ChanceTests {
    @Test("Default decisions cause no faults, whatever their probability, unless it is 1")
    func dull() {
        let world = ScriptedWorld([])
        var chance = world.chance
        for probability in [1e-300, 0.001, 0.25, 0.5, 0.51, 0.999, 1 - 0x1p-53] {
            let happens = chance.happens(probability, "it happens")
            #expect(!happens, "\(probability)")
        }
        let (part, rare) = (chance.part("it is late"), chance.part(oneIn: 16, "it is late"))
        #expect(part == 0)
        #expect(rare == 0)
        let (never, always) = (chance.happens(0, "it happens"), chance.happens(1, "it happens"))
        #expect(!never)
        #expect(always)
        // A certain event needs no decision.
        #expect(world.asked.count == 9)
        #expect(world.asked.allSatisfy { $0.options >= 2 && $0.oneIn >= 1 }, "\(world.asked)")
    }

    @Test(
        "A probability is requested as one part of a whole number, or all parts but one",
        arguments: [
            (0.5, 2, 2), (0.25, 2, 4), (0.3, 2, 3), (0.001, 2, 1_000), (0.9, 10, 1), (0.75, 4, 1),
            (1e-300, 2, UInt32.max), (1 - 0x1p-53, UInt32.max, 1),
        ] as [(Double, UInt32, UInt32)])
    func probabilities(_ probability: Double, _ options: UInt32, _ oneIn: UInt32) {
        let world = ScriptedWorld([1])
        var chance = world.chance
        let happens = chance.happens(probability, "it happens")
        #expect(happens)
        #expect(world.asked.map(\.question) == [.fault])
        #expect(world.asked.map(\.subject) == ["it happens"])
        #expect(world.asked.map(\.options) == [options])
        #expect(world.asked.map(\.oneIn) == [oneIn])
    }

    @Test("A fraction is below 1 and grows with the number")
    func parts() {
        let world = ScriptedWorld([0, 1, 500, 999])
        var chance = world.chance
        let parts = (0..<4).map { _ in chance.part(oneIn: 16, "it is late") }
        #expect(parts == [0, 0.001, 0.5, 0.999])
        #expect(world.asked.allSatisfy { $0 == (.latency, "it is late", 1_000, 16) }, "\(world.asked)")
    }

    @Test("A number is below its bound, and is requested only if there is a choice")
    func numbers() {
        let world = ScriptedWorld([6])
        var chance = world.chance
        let numbers = [7, 1, 0, -1].map { chance.number(below: $0, "which") }
        #expect(numbers == [6, 0, 0, 0])
        #expect(world.asked.count == 1)
        #expect(world.asked.allSatisfy { $0 == (.fault, "which", 7, 1) }, "\(world.asked)")
        var seeded = Chance(seed: 1)
        let drawn = (0..<200).map { _ in seeded.number(below: 5, "which") }
        #expect(Set(drawn) == Set(0..<5))
    }

    @Test("Branches of a world ask the same world; branches of a seed draw independently")
    func branches() {
        let world = ScriptedWorld([1, 1])
        var chance = world.chance
        var branch = chance.branch()
        let both = [chance.happens(0.5, "it happens"), branch.happens(0.5, "it happens")]
        #expect(both == [true, true])
        #expect(world.asked.count == 2)

        func draws(other: Int) -> [Double] {
            var seeded = Chance(seed: 3)
            var (first, second) = (seeded.branch(), seeded.branch())
            for _ in 0..<other { _ = first.part("it is late") }
            return (0..<5).map { _ in second.part("it is late") }
        }
        #expect(draws(other: 0) == draws(other: 100))
        #expect(Set(draws(other: 0)).count == 5)
    }

    @Test("The probabilities and fractions of a seed have the right distribution")
    func seeds() {
        var chance = Chance(seed: 4)
        let happened = (0..<4_000).count { _ in chance.happens(0.25, "it happens") }
        #expect((850...1_150).contains(happened))
        let parts = (0..<4_000).map { _ in chance.part(oneIn: 4, "it is late") }
        #expect((850...1_150).contains(parts.count { $0 > 0 }))
        #expect(parts.filter { !(0..<1).contains($0) } == [])
        #expect((0.45...0.55).contains(parts.filter { $0 > 0 }.reduce(0, +) / Double(parts.count { $0 > 0 })))
    }

    @Test("Two branches of a seed draw different numbers")
    func differentBranches() {
        var seeded = Chance(seed: 3)
        var (first, second) = (seeded.branch(), seeded.branch())
        let draws = (0..<5).map { _ in [first.part("it is late"), second.part("it is late")] }
        let equal = draws.filter { $0[0] == $0[1] }
        #expect(equal == [])
    }

    @Test("Each decision by a seed takes one number, except a fraction that is rarely more than 0")
    func numbersTaken() {
        var chance = Chance(seed: 9)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<20 {
            let parts = (chance.part("it is late"), generator.unit())
            #expect(parts.0 == parts.1)
            let happen = (chance.happens(0.5, "it happens"), generator.happens(0.5))
            #expect(happen.0 == happen.1)
            let rare = chance.part(oneIn: 2, "it is late")
            let expected = generator.happens(0.5) ? generator.unit() : 0
            #expect(rare == expected)
            var branch = chance.branch()
            var other = SeededGenerator(seed: generator.next())
            let ofBranches = (branch.part("it is late"), other.unit())
            #expect(ofBranches.0 == ofBranches.1)
        }
    }
}
