import Foundation
import Processes
import TestSupport
import Testing

@Suite("README")
struct ReadmeTests {
    private static let articles = "Sources/Programs/WatchLinkServices/WatchLinkServices.docc"
    /// The largest number of lines: two screens.
    private static let mostLines = 110

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: ProjectFiles.root.appending(path: name), encoding: .utf8)
    }

    /// A module or program of `Package.swift` in `Sources`.
    private struct Module {
        let floor: String
        let dependencies: Set<String>
    }

    private static func modules() throws -> [String: Module] {
        let swift =
            /\b(?:module|program)\(\s*\.(?<floor>\w+),\s*"(?<name>[\w-]+)"(?:,\s*\[(?<dependencies>[^\]]*)\])?/
        let others =
            /\.(?:target|systemLibrary)\(\s*name: "(?<name>\w+)",(?:\s*dependencies: \[(?<dependencies>[^\]]*)\],)?\s*path: Floor\.(?<floor>\w+)\.path/
        func dependencies(_ text: Substring?) -> Set<String> {
            Set((text ?? "").matches(of: /"([\w-]+)"/).map { String($0.1) })
        }
        var modules: [String: Module] = [:]
        let package = try text("Package.swift")
        for match in package.matches(of: swift) {
            modules[String(match.name)] = Module(
                floor: match.floor.capitalized, dependencies: dependencies(match.dependencies))
        }
        for match in package.matches(of: others) {
            modules[String(match.name)] = Module(
                floor: match.floor.capitalized, dependencies: dependencies(match.dependencies))
        }
        return modules
    }

    /// The rows of the module table: the floor, the names, and the imports in the last column.
    private static func rows() throws -> [(floor: String, names: [String], imports: Set<String>)] {
        let lines = try text("\(articles)/Architecture.md").split(separator: "\n", omittingEmptySubsequences: false)
        let head = try #require(lines.firstIndex { $0.hasPrefix("| floor | module | what it is | imports |") })
        return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let imports = cells[cells.count - 1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0], cells[1].matches(of: /`([\w-]+)`/).map { String($0.1) }, Set(imports).subtracting(["–"]))
        }
    }

    @Test("The table of modules names each once, and lists the imports of Package.swift from floors above it")
    func layout() throws {
        let (modules, rows) = (try Self.modules(), try Self.rows())
        #expect(modules.count > 40)
        #expect(rows.flatMap(\.names).sorted() == modules.keys.sorted())
        var above: Set<String> = []
        for row in rows {
            let wanted = row.names.reduce(into: Set<String>()) { $0.formUnion(modules[$1]?.dependencies ?? []) }
            #expect(row.imports == wanted, "\(row.names)")
            #expect(
                row.imports.isSubset(of: above), "\(row.names) imports \(row.imports.subtracting(above)) from below")
            for name in row.names { #expect(modules[name]?.floor == row.floor, "\(name)") }
            above.formUnion(row.names)
        }
    }

    @Test("No module imports from a higher floor, and the folders of Sources are those floors")
    func floors() throws {
        // The programs and their trials are on the same floor.
        let heights = [
            "Ground": 0, "Link": 1, "Device": 2, "Records": 3, "Quiz": 4, "Programs": 5, "Trials": 5, "Faces": 5,
        ]
        let modules = try Self.modules()
        for (name, module) in modules {
            for dependency in module.dependencies.sorted() {
                let (own, other) = (heights[module.floor], modules[dependency].flatMap { heights[$0.floor] })
                #expect((other ?? .max) <= (own ?? -1), "\(name) imports \(dependency)")
            }
        }
        let sources = ProjectFiles.root.appending(path: "Sources").path(percentEncoded: false)
        let folders = try FileManager.default.contentsOfDirectory(atPath: sources)
        #expect(Set(folders) == Set(heights.keys).union(["Plugins"]))
    }

    @Test(
        "An app that imports WatchConnectivity links no control server, no recorder, no program options and no crypt(3)"
    )
    func appsParts() throws {
        let modules = try Self.modules()
        /// Returns a module and everything linked with it.
        func parts(_ name: String) -> Set<String> {
            (modules[name]?.dependencies ?? []).reduce(into: [name]) { $0.formUnion(parts($1)) }
        }
        let unwanted: Set = [
            "CassetteRecording", "Cassettes", "ControlSocket", "DeviceControl", "CCrypt", "ServiceRuntime",
        ]
        for name in ["WatchConnectivity", "WatchKit", "QuizSync"] {
            #expect(parts(name).intersection(unwanted) == [], "\(name)")
        }
        #expect(parts("DeviceControl").isSuperset(of: ["WatchConnectivity", "ControlSocket", "CCrypt"]))
    }

    @Test("The floors below the application do not know it")
    func applications() throws {
        for floor in ["Ground", "Link", "Device", "Records"] {
            let files = ProjectFiles.all(below: "Sources/\(floor)")
            #expect(files.count > 10)
            for file in files {
                let text = try String(contentsOf: file, encoding: .utf8)
                let lines = text.split(separator: "\n").filter { $0.lowercased().contains("quiz") }
                #expect(lines.isEmpty, "\(file.lastPathComponent): \(lines)")
            }
        }
    }

    /// The paths in articles that are in the reader's own package.
    private static let pathsOfReaders: Set = ["Tests/PairTests/WaterTests.swift"]

    @Test("Every project path in the README and the articles exists")
    func paths() throws {
        var articles = ["README.md"]
        for path in FileManager.default.enumerator(
            atPath: ProjectFiles.root.appending(path: "Sources").path(percentEncoded: false))?.compactMap({
                $0 as? String
            }) ?? []
        where path.hasSuffix(".md") { articles.append("Sources/\(path)") }
        #expect(articles.count > 10)
        for article in articles {
            for match in try Self.text(article).matches(of: /\b((?:Sources|Tests|Config)\/[\w.+\/-]*\w)/) {
                let path = String(match.1)
                if Self.pathsOfReaders.contains(path) { continue }
                #expect(
                    FileManager.default.fileExists(
                        atPath: ProjectFiles.root.appending(path: path).path(percentEncoded: false)),
                    "\(article) names \(path)")
            }
        }
    }

    @Test("The README fits on two screens, and names every article")
    func length() throws {
        let readme = try Self.text("README.md")
        let lines = readme.split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(lines <= Self.mostLines)
        for link in readme.matches(of: /\]\((Sources[^)]*)\)/) {
            let file = ProjectFiles.root.appending(path: String(link.1)).path(percentEncoded: false)
            #expect(FileManager.default.fileExists(atPath: file), "\(link.1) is not there")
        }
    }

    @Test("Every command in the README and the articles exists, and the exit codes are complete")
    func commands() throws {
        var commands: Set<String> = []
        for article in ["README.md"]
            + ["Operating", "Commands", "Logs", "Trouble"].map({ "\(Self.articles)/\($0).md" })
        {
            for match in try Self.text(article)
                .matches(of: /(?m)^ {4}(?:swift run |\.build\/release\/)?watchlink ([a-z][a-z-]*)/)
            { commands.insert(String(match.1)) }
        }
        #expect(commands.count > 10)
        for command in commands.sorted() {
            let help = try TestBench.run("watchlink", ["help", command])
            #expect(help.code == 0, "watchlink \(command): \(help)")
        }
        let codes = ExitCode.allCases.map(\.description).joined(separator: ", ")
        let page = try Self.text("\(Self.articles)/Commands.md")
        #expect(page.contains("Exit codes: \(codes)."))
    }
}
