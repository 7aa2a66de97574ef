import Foundation
import ServiceRuntime
import Testing

@Suite("README")
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    /// The modules and programs of `Package.swift` that lie in `Sources`, with what each depends on.
    private static func targets() throws -> [String: Set<String>] {
        let declaration =
            /(?:(?:module|program)\(\s*|\.(?:target|executableTarget|systemLibrary)\(\s*name: )"([\w-]+)"(?:,\s*(?:dependencies: )?\[([^\]]*)\])?/
        var targets: [String: Set<String>] = [:]
        for match in try text("Package.swift").matches(of: declaration) {
            let name = String(match.1)
            guard
                FileManager.default.fileExists(
                    atPath: root.appending(path: "Sources/\(name)").path(percentEncoded: false))
            else {
                continue
            }
            targets[name] = Set((match.2 ?? "").matches(of: /"([\w-]+)"/).map { String($0.1) })
        }
        return targets
    }

    /// The rows of the table of modules: the names, and what the last column says that they import.
    private static func rows() throws -> [(names: [String], imports: Set<String>)] {
        let lines = try text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        let head = try #require(lines.firstIndex { $0.hasPrefix("| module | what it is | imports |") })
        return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|")
            let imports = cells[cells.count - 1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0].matches(of: /`([\w-]+)`/).map { String($0.1) }, Set(imports).subtracting(["–"]))
        }
    }

    @Test("The table of modules names each once, imports what Package.swift says, and only what stands above")
    func modules() throws {
        let (targets, rows) = (try Self.targets(), try Self.rows())
        #expect(targets.count > 20)
        #expect(rows.flatMap(\.names).sorted() == targets.keys.sorted())
        var above: Set<String> = []
        for row in rows {
            let wanted = row.names.reduce(into: Set<String>()) { $0.formUnion(targets[$1] ?? []) }
            #expect(row.imports == wanted, "\(row.names)")
            #expect(
                row.imports.isSubset(of: above), "\(row.names) imports \(row.imports.subtracting(above)) from below")
            above.formUnion(row.names)
        }
    }

    @Test("Every path that the README and the articles name in the project is there")
    func paths() throws {
        var articles = ["README.md"]
        for path in FileManager.default.enumerator(
            atPath: Self.root.appending(path: "Sources").path(percentEncoded: false))?.compactMap({
                $0 as? String
            }) ?? []
        where path.hasSuffix(".md") { articles.append("Sources/\(path)") }
        #expect(articles.count > 10)
        for article in articles {
            for match in try Self.text(article).matches(of: /\b((?:Sources|Tests|Config)\/[\w.+\/-]*\w)/) {
                let path = String(match.1)
                #expect(
                    FileManager.default.fileExists(atPath: Self.root.appending(path: path).path(percentEncoded: false)),
                    "\(article) names \(path)")
            }
        }
    }

    @Test("Every command that the README shows is one, and the exit codes are all there are")
    func commands() throws {
        let readme = try Self.text("README.md")
        let commands = Set(
            readme.matches(of: /(?m)^ {4}(?:swift run |\.build\/release\/)?watchlink ([a-z][a-z-]*)/).map {
                String($0.1)
            })
        #expect(commands.count > 10)
        for command in commands.sorted() {
            #expect(try TestBench.run("watchlink", ["help", command]).code == 0, "watchlink \(command)")
        }
        #expect(readme.contains("Exit codes: \(ExitCode.allCases.map(\.description).joined(separator: ", "))."))
    }
}
