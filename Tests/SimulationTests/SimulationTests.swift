import LinkProtocol
import Testing

@testable import Simulation

@Suite("Simulation")
struct SimulationTests {
    @Test("Every invariant holds over some seeds, each an hour with a hundred messages")
    func holds() {
        for seed in 1...UInt64(50) {
            let outcome = World(Plan(seed: seed)).run()
            #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation?.description ?? "")")
            #expect(outcome.messages >= 100)
            #expect(outcome.simulated >= .seconds(3_000))
        }
    }

    @Test("A seed decides everything")
    func sameSeed() {
        func trace(_ seed: UInt64) -> [String] {
            var lines: [String] = []
            _ = World(Plan(seed: seed)) { lines.append($0) }.run()
            return lines
        }
        for seed in [3, 14, 159] as [UInt64] { #expect(trace(seed) == trace(seed)) }
        #expect(trace(3) != trace(4))
    }

    @Test("Each planted bug breaks its invariant", arguments: PlantedBug.allCases)
    func bugs(_ bug: PlantedBug) {
        let found = (1...UInt64(1_000)).lazy.compactMap { World(Plan(seed: $0), bug: bug).run().violation }.first
        #expect(found?.invariant == bug.invariant, "\(found?.description ?? "not found")")
    }
}
