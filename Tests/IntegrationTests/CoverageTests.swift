import Foundation
import TestSupport
import Testing

/// Checks the table of the documentation: everything it names exists, and nothing is missing.
@Suite("The documented coverage")
struct CoverageTests {
    private static func page() throws -> String {
        let module = ProjectFiles.root.appending(path: "Sources/Device/WatchConnectivity")
        return try String(
            contentsOf: module.appending(path: "WatchConnectivity.docc/Coverage.md"), encoding: .utf8)
    }

    private static func sources(_ folder: String) throws -> [String] {
        try ProjectFiles.all(below: folder, suffix: ".swift").map { try String(contentsOf: $0, encoding: .utf8) }
    }

    @Test("Every test that the table names exists")
    func tests() throws {
        let tests = try Self.sources("Tests")
        let named = try Self.page().matches(of: /`([A-Z][A-Za-z]+Tests)\.([a-zA-Z]+)`/)
        #expect(named.count > 80)
        for match in named {
            let exists = tests.contains {
                $0.contains("struct \(match.1) ") && $0.contains("func \(match.2)(")
            }
            #expect(exists, "there is no test \(match.1).\(match.2)")
        }
    }

    @Test("Every public member of the session, its delegate and its transfers is named")
    func symbols() throws {
        let page = try Self.page()
        let module = ProjectFiles.root.appending(path: "Sources/Device/WatchConnectivity")
        let names = [
            "WCSession", "WCSessionDelegate", "WCSessionUserInfoTransfer", "WCSessionFile", "WCSessionFileTransfer",
        ]
        var count = 0
        for name in names {
            let source = try String(contentsOf: module.appending(path: "\(name).swift"), encoding: .utf8)
            for match in source.matches(of: /\n    (?:open|public|func) [^{\n]*?(?:var|func|init|func) ?`?([a-zA-Z]+)?/)
            {
                guard let member = match.1 else { continue }
                count += 1
                #expect(page.contains(member), "\(name).\(member) is not in the table")
            }
        }
        #expect(count > 45)
    }
}
