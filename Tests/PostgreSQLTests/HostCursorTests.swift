import PostgreSQLRules
import RecordStorage
import Testing

@Suite("Cursors over several hosts")
struct HostCursorTests {
    @Test("A cursor's text comes back, with hosts in ascending order")
    func text() throws {
        var cursor = HostCursor()
        #expect(cursor.cursor == .start)
        cursor.advance(12, to: 5)
        cursor.advance(3, to: 9_000_000_000)
        #expect(cursor.cursor.rawValue == "3:9000000000,12:5")
        let again = try HostCursor(cursor.cursor)
        #expect(again == cursor)
        #expect(again.sequence(of: 12) == 5)
        #expect(again.sequence(of: 4) == 0)
    }

    @Test(
        "Any other text is refused",
        arguments: [
            "5", "1:", ":1", "1:2,", ",1:2", "2:1,1:1", "1:1,1:2", "0:1", "-1:5", "1:-5", "1:+5", "01:5", "1: 5",
            "1:2:3", "3000000000:1", "1:99999999999999999999", "a:b",
        ])
    func foreign(_ text: String) throws {
        let error = #expect(throws: StoreError.self) { try HostCursor(RecordCursor(rawValue: text)) }
        let found = try #require(error)
        #expect(found.kind == .refused)
    }
}
