import LinkProtocol
import Testing

@Suite("Random numbers of a seed")
struct SeededGeneratorTests {
    @Test("The numbers are those of SplitMix64")
    func numbers() {
        var generator = SeededGenerator(seed: 1_234_567)
        let numbers: [UInt64] = (0..<5).map { _ in generator.next() }
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(numbers == expected)
    }

    @Test("A fraction has the 53 highest bits of a number")
    func fractions() {
        var numbers = SeededGenerator(seed: 5)
        var fractions = SeededGenerator(seed: 5)
        for _ in 0..<20 {
            let number: UInt64 = numbers.next()
            let expected = Double(number >> 11) / 0x1p53
            let fraction = fractions.unit()
            #expect(fraction == expected)
        }
    }

    @Test("The lowest fraction is 0, and even then what has no probability does not happen")
    func zero() {
        // The first number of this seed is 0.
        let seed: UInt64 = 0x61C8_8646_80B5_83EB
        var generator = SeededGenerator(seed: seed)
        let fraction = generator.unit()
        #expect(fraction == 0)
        var never = SeededGenerator(seed: seed)
        let happens = never.happens(0)
        #expect(!happens)
        var likely = SeededGenerator(seed: seed)
        let happensThen = likely.happens(0x1p-53)
        #expect(happensThen)
    }
}
