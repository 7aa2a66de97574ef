import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Statements")
struct StatementTests {
    private let scratch: Scratch
    private let database: Database

    init() throws {
        scratch = try Scratch()
        database = try Database(path: scratch.path("db.sqlite"), migrations: ["CREATE TABLE t (x)"])
    }

    @Test("A parameter that the statement does not have is refused", arguments: [0, 3] as [Int32])
    func parameters(_ index: Int32) throws {
        let statement = try database.statement("SELECT ?1, ?2")
        let attempts: [(kind: String, bind: () throws -> Void)] = [
            ("integer", { try statement.bind(Int64(1), at: index) }),
            ("real", { try statement.bind(Double(1.5), at: index) }),
            ("text", { try statement.bind("a", at: index) }),
            ("bytes", { try statement.bind(Data([1]), at: index) }),
            ("no bytes", { try statement.bind(Data(), at: index) }),
            ("identifier", { try statement.bind(UUID(), at: index) }),
            ("null", { try statement.bind(nil as String?, at: index) }),
        ]
        var refused: [String] = []
        for attempt in attempts {
            do {
                try attempt.bind()
            } catch {
                refused.append(attempt.kind)
            }
        }
        #expect(refused == attempts.map(\.kind))
    }

    @Test("The first and the last parameter are bound, and identifiers do not overwrite each other")
    func identifiers() throws {
        let statement = try database.statement("SELECT ?1, ?2, ?3")
        let values = (0..<3).map { _ in UUID() }
        for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
        let hasRow = try statement.step()
        #expect(hasRow)
        let read = (0..<3).compactMap { statement.identifier(Int32($0)) }
        #expect(read == values)
        statement.reset()
    }

    @Test("Only 16 bytes are an identifier")
    func noIdentifiers() throws {
        let statement = try database.statement("SELECT NULL, x'', zeroblob(15), zeroblob(17), zeroblob(16), 'a'")
        let hasRow = try statement.step()
        #expect(hasRow)
        let areIdentifiers = (0..<6).map { statement.identifier(Int32($0)) != nil }
        #expect(areIdentifiers == [false, false, false, false, true, false])
        statement.reset()
    }

    @Test("Empty bytes are not NULL, and NULL is read as an empty value")
    func empty() throws {
        let statement = try database.statement("SELECT ?1, ?2, ?3, ?4, ?5, ?6")
        try statement.bind(Data(), at: 1)
        try statement.bind("", at: 2)
        try statement.bind(nil as Data?, at: 3)
        try statement.bind(nil as String?, at: 4)
        try statement.bind(nil as Int64?, at: 5)
        try statement.bind(nil as UUID?, at: 6)
        let hasRow = try statement.step()
        #expect(hasRow)
        let areNull = (0..<6).map { statement.isNull(Int32($0)) }
        #expect(areNull == [false, false, true, true, true, true])
        #expect(statement.blob(0) == Data())
        #expect(statement.text(1) == "")
        #expect(statement.blob(2) == Data())
        #expect(statement.text(3) == "")
        #expect(statement.integer(4) == 0)
        statement.reset()
    }

    @Test("A statement is reset before it is used again, and its values are removed")
    func reuse() throws {
        let first = try database.statement("SELECT ?1")
        try first.bind("left", at: 1)
        let hasRow = try first.step()
        #expect(hasRow)
        let again = try database.statement("SELECT ?1")
        let hasRowAgain = try again.step()
        #expect(hasRowAgain)
        #expect(again.isNull(0))
        let hasMore = try again.step()
        #expect(!hasMore)
    }
}
