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
        let file = try bench.write("rows.json", "[" + (0..<1_200).map(row).joined(separator: ",\n") + "]")
        let imported = try bench.watchlink(["quizzes", "import", file])
        #expect(imported.output == "1200 imported, 0 already present\n", "\(imported)")
        let titles = (0..<1_200).map { "Quiz \($0)" }
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
        #expect(cells.count == 1_201)
        #expect(
            cells.dropFirst().first?.contains(",Quiz 0,2026-11-20T18:30:00.000Z,1,3,2026-11-20T18:30:00.250Z,") == true,
            "\(cells.prefix(2))")
        let again = try bench.watchlink(["quizzes", "import", try bench.write("again.json", exported)]).output
        #expect(again == "0 imported, 1200 already present\n")
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("A row in the middle that is not JSON, or no quiz, is named with what was imported before it")
    func badRow() throws {
        let host = try bench.start("host")
        let rows = (0..<1_200).map(row)
        for (bad, reason) in [
            ("{\"device\": nonsense}", ": element 801 is not JSON; 500 were imported before"),
            ("{\"device\": 5}", ", quizzes 501 to 1000: device: must be a UUID"),
        ] {
            var changed = rows
            changed[800] = bad
            let file = try bench.write("rows.json", "[" + changed.joined(separator: ",") + "]")
            try bench.expectCode(1, of: ["quizzes", "import", file])
            let errors = try bench.watchlink(["quizzes", "import", file]).errors
            #expect(errors.contains(reason.replacing("500 were", with: "0 were")), "\(errors)")
        }
        let count = try bench.watchlink(["quizzes", "count"]).output
        #expect(count == "500\n")
        let open = try bench.write("open.json", "[" + rows.joined(separator: ","))
        let errors = try bench.watchlink(["quizzes", "import", open]).errors
        #expect(errors.contains("the array is not closed; 500 were imported before"), "\(errors)")
        #expect(host.stop(within: TestBench.limit) == 0)
    }
}
