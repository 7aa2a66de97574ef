import Foundation
import Testing
import VirtualTime

/// Pairs of builds that fail; the table itself is tested with cassettes.
@Suite("Skew of failures", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct SkewTests {
    private let pair = TestBench.program("ReplayPair").path(percentEncoded: false)

    @Test(
        "A program that fails in a live pair is told before what follows from it, and one that floods the link is ended"
    )
    func skewOfFailures() throws {
        let old = "\(pair) library"
        func skew(_ change: String) throws -> String {
            let result = try TestBench.run(
                "watchlink", ["skew", "--phones", "\(old),\(old) --change \(change)", "--watches", old])
            #expect(result.code == 3, "\(result.output)\(result.errors)")
            return result.output
        }
        let crash = try skew("crash")
        let ending =
            #/with [^\n]*:\n  broken: phone, 120\.\d+ s: the program ended by signal 11, SIGSEGV \[phone ending\]\n  changed: watch, /#
        #expect(crash.contains(ending), "\(crash)")
        let hang = try skew("hang-alone")
        #expect(hang.contains("broken: phone: the program stopped: dead-lock: the delegate's"), "\(hang)")
        let flood = try skew("flood")
        #expect(flood.contains(#/: ended at 60\d\.\d+ s, as they flood the link: /#), "\(flood)")
        #expect(flood.contains(/first: phone, 600\.\d+ s: sendMessage: done once more than recorded/), "\(flood)")
    }

    @Test("If the oldest pair fails, the others are compared with it up to its failure")
    func failingBase() throws {
        let app = "\(pair) library"
        let result = try TestBench.run(
            "watchlink", ["skew", "--phones", "\(app) --change crash,\(app)", "--watches", app, "--json"])
        let cells = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]], "\(result.output)")
        #expect(cells.map { "\($0["verdict"] ?? "")" } == ["broken", "same"], "\(result.output)")
    }
}
