import Foundation
import TestSupport
import Testing

/// What packages are made of: `.ci/package` makes them, and `.ci/deb` tries them.
@Suite("Packaging")
struct PackagingTests {
    private let bench: TestBench

    init() throws { bench = try TestBench() }

    /// The names of the one program, from the table of its main functions.
    private static func names() throws -> [String] {
        let printed = try TestBench.run(ProjectFiles.root.appending(path: ".ci/packaging/names"), [])
        try #require(printed.code == 0, "\(printed)")
        return printed.output.split(separator: "\n").map(String.init)
    }

    @Test("Files for a package are below its root, and do not name it; other names of a program stay names")
    func root() throws {
        let folder = URL(filePath: bench.path + "/programs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try TestBench.install(
            TestBench.program("watchlink").path(percentEncoded: false),
            at: folder.appending(path: "watchlink").path(percentEncoded: false))
        let names = try Self.names()
        for name in names where name != "watchlink" {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: name).path(percentEncoded: false), withDestinationPath: "watchlink")
        }
        let root = bench.path + "/root"
        let program = folder.appending(path: "watchlink")
        let installed = try TestBench.run(program, ["install", "--prefix", "/usr", "--root", root])
        #expect(installed.code == 0, "\(installed)")
        let programs = try FileManager.default.contentsOfDirectory(atPath: "\(root)/usr/bin")
        #expect(programs.sorted() == names.sorted(), "a package has other programs than an installation")
        for name in names where name != "watchlink" {
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(root)/usr/bin/\(name)")
            #expect(target == "watchlink")
        }
        let unit = try String(contentsOfFile: root + "/usr/lib/systemd/system/watchlink-host.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/usr/bin/watchlink-host --config /etc/watchlink/host.json5"))
        #expect(FileManager.default.fileExists(atPath: root + "/etc/watchlink/host.json5"))
        for name in ["grafana/watchlink.json", "sample-quiz.json"] {
            #expect(FileManager.default.fileExists(atPath: root + "/usr/share/watchlink/\(name)"), "\(name)")
        }

        // The same as an installation: again nothing changes, and nothing is left afterwards.
        let again = try TestBench.run(program, ["install", "--prefix", "/usr", "--root", root])
        #expect(!again.output.contains("written"), "\(again)")
        let prefix = root + "/usr"
        let removed = try TestBench.run(program, ["uninstall", "--prefix", prefix])
        #expect(removed.code == 0, "\(removed)")
        let left = FileManager.default.enumerator(atPath: prefix)?.compactMap { $0 as? String } ?? []
        #expect(left.filter { $0.contains("watchlink") } == [])
    }

    @Test(
        "The scripts of all shells complete the same commands, words and options", arguments: ["bash", "zsh", "fish"])
    func completion(_ shell: String) throws {
        let script = try TestBench.run("watchlink", ["completion", shell])
        #expect(script.code == 0, "\(script)")
        for word in ["quizzes", "completion", "help", "backup", "format", "state-directory", "json"] {
            #expect(script.output.contains(word), "\(word)")
        }
    }

    @Test("bash completes a command, its words, its options, and files")
    func bash() throws {
        let script = try bench.write("completion", try TestBench.run("watchlink", ["completion", "bash"]).output)
        func completed(_ words: String) throws -> [String] {
            let line =
                "cd '\(bench.path)'; . '\(script)'; COMP_WORDS=(watchlink \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                + "_watchlink; printf '%s\\n' \"${COMPREPLY[@]}\""
            return try TestBench.shell(line).output.split(separator: "\n").map(String.init)
        }
        let command = try completed("qui")
        #expect(command == ["quizzes"])
        let words = try completed("quizzes rest")
        #expect(words == ["restore"])
        let options = try completed("quizzes restore --st")
        #expect(options == ["--stop", "--state-directory"])
        let files = try completed("submit compl")
        #expect(files == ["completion"])
    }

    @Test("A shell that is unknown is named, with those that are known")
    func unknownShell() throws {
        let result = try TestBench.run("watchlink", ["completion", "zhs"])
        #expect(result.code == 2)
        #expect(result.errors.contains("did you mean “zsh”"), "\(result)")
    }
}
