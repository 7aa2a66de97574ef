import Configuration
import Foundation
import Processes
import TestSupport
import Testing

/// Lists, exports and imports of more records than one request or answer carries.
@Suite("Many records", .serialized)
struct ManyRecordsTests {
    private let bench: TestBench
    private static let device = UUID().uuidString

    init() throws { bench = try TestBench() }

    private func row(_ number: Int) -> String {
        """
        {"identifier": "\(UUID().uuidString)", "device": "\(Self.device)", "receivedAt": "2026-11-20T18:30:00.250Z",
         "title": "Quiz \(number)", "takenAt": "2026-11-20T18:30:00Z",
         "answers": [{"question": "q", "choice": "c", "points": 3}]}
        """
    }

    @Test("An import of several requests stores all in order, and lists and exports of several pages have all")
    func severalPages() throws {
        let host = try bench.start("host")
        let file = try bench.write("rows.json", "[" + (0..<2_500).map(row).joined(separator: ",\n") + "]")
        let imported = try bench.watchlink(["quizzes", "import", file])
        #expect(imported.output == "2500 imported, 0 already present\n", "\(imported)")
        let titles = (0..<2_500).map { "Quiz \($0)" }
        let exported = try bench.watchlink(["quizzes", "export"]).output
        let rows = try JSONDecoder().decode([JSONValue].self, from: Data(exported.utf8))
        #expect(rows.map { $0["title"]?.string } == titles)
        // As it was before there were texts: sorted keys, each record on a line.
        let lines = try rows.map { try $0.text() }.joined(separator: ",\n")
        #expect(exported == "[\n\(lines)\n]\n")
        let listed = try bench.watchlink(["quizzes", "list"]).output.split(separator: "\n")
        #expect(listed.dropFirst().map { $0.split(separator: "  ").last.map(String.init) } == titles)
        let cells = try bench.watchlink(["quizzes", "export", "--format", "csv"]).output.split(separator: "\r\n")
            .flatMap { $0.split(separator: "\n") }
        #expect(cells.count == 2_501)
        #expect(
            cells.dropFirst().first?.contains(",Quiz 0,2026-11-20T18:30:00.000Z,1,3,2026-11-20T18:30:00.250Z,") == true,
            "\(cells.prefix(2))")
        let again = try bench.watchlink(["quizzes", "import", try bench.write("again.json", exported)]).output
        #expect(again == "0 imported, 2500 already present\n")
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("A row in the middle that is not JSON, or no quiz, is named with what was imported before it")
    func badRow() throws {
        let host = try bench.start("host")
        let rows = (0..<4_500).map(row)
        for (bad, reason) in [
            ("{\"device\": nonsense}", ": element 2301 is not JSON; 2000 were imported before"),
            ("{\"device\": 5}", ", quizzes 2001 to 4000: device: must be a UUID"),
        ] {
            var changed = rows
            changed[2_300] = bad
            let file = try bench.write("rows.json", "[" + changed.joined(separator: ",") + "]")
            try bench.expectCode(1, of: ["quizzes", "import", file])
            let errors = try bench.watchlink(["quizzes", "import", file]).errors
            #expect(errors.contains(reason.replacing("2000 were", with: "0 were")), "\(errors)")
        }
        let count = try bench.watchlink(["quizzes", "count"]).output
        #expect(count == "2000\n")
        let open = try bench.write("open.json", "[" + rows.joined(separator: ","))
        let errors = try bench.watchlink(["quizzes", "import", open]).errors
        #expect(errors.contains("the array is not closed; 2000 were imported before"), "\(errors)")
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("Rows with more keys and values than a request may have are sent in several")
    func manyValues() throws {
        let host = try bench.start("host")
        let zeros = "[0" + String(repeating: ",0", count: 150) + "]"
        let rows = (0..<1_900).map { row($0).dropLast() + ",\"zeros\":\(zeros)}" }
        let file = try bench.write("rows.json", "[" + rows.joined(separator: ",") + "]")
        let errors = try bench.watchlink(["quizzes", "import", file]).errors
        // The first request arrived, and its first row was read.
        #expect(errors.contains("zeros: is unknown"), "\(errors)")
        #expect(host.stop(within: TestBench.limit) == 0)
    }
}
