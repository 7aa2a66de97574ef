import Testing

@testable import KeyedArchive

@Suite("Errors of archives")
struct ArchiveErrorTests {
    @Test("A description has the code and the detail, and the kind, the position and the path if there are any")
    func descriptions() {
        let short = ArchiveError(.cycle, "what happened").description
        #expect(short == "cyclic object: what happened")
        let kind = ArchiveError(.corruptObject, "what happened", kind: "array").description
        #expect(kind == "corrupt object (array): what happened")
        let place = ArchiveError(.corruptTrailer, "what happened", offset: 0).description
        #expect(place == "corrupt trailer at byte 0: what happened")
        let path = ArchiveError(.missingValue, "what happened", keyPath: "a.b").description
        #expect(path == "missing value under “a.b”: what happened")
        let all = ArchiveError(.typeMismatch, "what happened", kind: "date", offset: 5, keyPath: "a[1]").description
        #expect(all == "type mismatch (date) at byte 5 under “a[1]”: what happened")
    }

    @Test("Keys are joined by dots, but an index follows its list's key directly")
    func paths() {
        let error = ArchiveError(.cycle, "", kind: "array", offset: 7)
        let key = error.under("a")
        #expect(key == ArchiveError(.cycle, "", kind: "array", offset: 7, keyPath: "a"))
        let keys = key.under("b").under("c").keyPath
        #expect(keys == "c.b.a")
        let index = error.under("[2]").under("list").keyPath
        #expect(index == "list[2]")
        let indexes = error.under("[2]").under("[1]").under("list").under("root").keyPath
        #expect(indexes == "root.list[1][2]")
        let keyInElement = error.under("key").under("[3]").keyPath
        #expect(keyInElement == "[3].key")
    }
}
