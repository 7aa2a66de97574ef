import Foundation
import TestSupport
import Testing

@testable import WatchLinkTesting

@Suite("Programs beside the tests")
struct TestProgramsTests {
    @Test("They are found by their name")
    func found() throws {
        let program = try TestPrograms.program("DeviceProgram")
        let isThere = FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false))
        #expect(isThere)
    }

    @Test("One that is missing is an error that says where it was looked for, and what to add to Package.swift")
    func missing() throws {
        let error = try #require(throws: MissingProgram.self) {
            try ProcessPair(phone: "DeviceProgram", watch: "WatchApp")
        }
        let folder = TestPrograms.directory.path
        let text = error.description
        #expect(text.contains("no program “WatchApp” beside the tests, in \(folder)\n"), "\(text)")
        #expect(text.contains(".testTarget(name: …, dependencies: [\"WatchApp\", …])"), "\(text)")
        #expect(error.programs.contains("DeviceProgram"))
    }

    @Test("Only a program is one: no directory, no other file, no path")
    func others() throws {
        let scratch = try Scratch()
        _ = try scratch.write("notes", "")
        let tool = try scratch.write("tool", "")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool)
        let directory = URL(filePath: scratch.path)
        try FileManager.default.createDirectory(
            at: directory.appending(path: "folder"), withIntermediateDirectories: true)
        #expect(throws: Never.self) { try TestPrograms.program("tool", in: directory) }
        for name in ["notes", "folder", "", "../tool", "folder/../tool", "absent"] {
            let error = try #require(throws: MissingProgram.self) { try TestPrograms.program(name, in: directory) }
            #expect(error.programs == ["tool"], "\(name)")
            #expect(error.description.hasSuffix("Programs that are there: tool"), "\(error)")
        }
    }

    @Test("At most twelve are listed, and the others counted")
    func many() {
        let error = MissingProgram(name: "a", directory: "/b", programs: (10...30).map { "p\($0)" })
        #expect(error.description.hasSuffix("p20, p21 and 9 more"), "\(error)")
        let all = MissingProgram(name: "a", directory: "/b", programs: (10...21).map { "p\($0)" })
        #expect(all.description.hasSuffix(", p20, p21"), "\(all)")
        let none = MissingProgram(name: "a", directory: "/b", programs: [])
        #expect(none.description.hasSuffix(": none"), "\(none)")
    }
}
