import Foundation
import Processes
import Testing

@Suite("The search for programs")
struct ProgramSearchTests {
    @Test("A program is found in the first folder of PATH that has it; one that is not installed is in none")
    func find() {
        let first = ProgramSearch.folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/env") }
        #expect(ProgramSearch.find("env") == first.map { "\($0)/env" })
        #expect(first != nil)
        #expect(ProgramSearch.find("no-such-program-of-watchlink") == nil)
    }
}
