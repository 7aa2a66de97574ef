import Files
import Foundation
import KeyedArchive
import Processes
import Testing

@testable import Cassettes

@Suite("Cassettes on the disk")
struct CassetteTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch.url.path(percentEncoded: false) + "/cassette" }

    init() throws { scratch = try ScratchDirectory() }

    /// Writes a cassette with some messages.
    private func record(_ count: Int, finishing: Bool = true) throws -> RecordingMachine {
        let rules = RedactionRules()
        let manifest = CassetteManifest(
            sides: ["watch"], program: "App", started: Date(timeIntervalSince1970: 0), seed: 1, rules: rules)
        var machine = RecordingMachine(manifest, redactor: Redactor(rules, hash: KeyedHash()), start: 0)
        let writer = try CassetteWriter(path, manifest)
        for number in 0..<count {
            var observation = Observation(
                side: "watch", time: Int64(number) * 1_000_000, thread: 0, kind: "sendMessage", stage: .call)
            observation.package = UUID()
            observation.payload = .propertyList(try PropertyListValue(object: ["number": number / 2]).binaryData())
            writer.add([machine.take(observation)])
        }
        guard finishing else { return machine }
        machine.finish(written: writer.written, failure: nil)
        try writer.write(machine.schema)
        try writer.write(machine.manifest)
        return machine
    }

    private func change(_ name: String, _ change: (inout String) -> Void) throws {
        let file = URL(filePath: "\(path)/\(name)")
        var text = try String(contentsOf: file, encoding: .utf8)
        change(&text)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    @Test("A cassette is read as it was written")
    func roundTrip() throws {
        let machine = try record(10)
        let cassette = try Cassette(at: path)
        #expect(cassette.manifest == machine.manifest)
        #expect(cassette.manifest.state == .complete)
        #expect(cassette.events.count == 10)
        #expect(cassette.contents.count == 5)
        #expect(try cassette.schema.data() == machine.schema.data())
        #expect(cassette.events[3].content == cassette.events[2].content)
    }

    @Test("The directory of a cassette is not used again, and none of its files is changed")
    func occupied() throws {
        _ = try record(1)
        let before = try Data(contentsOf: URL(filePath: "\(path)/events.jsonl"))
        #expect(throws: CassetteError.occupied(path: path)) { _ = try record(1) }
        #expect(try Data(contentsOf: URL(filePath: "\(path)/events.jsonl")) == before)
    }

    @Test("Of a recording that was killed, all whole lines are read")
    func unfinished() throws {
        _ = try record(4, finishing: false)
        try change("events.jsonl") { $0.removeLast(10) }
        let cassette = try Cassette(at: path)
        #expect(cassette.isUnfinished)
        #expect(cassette.events.count == 3)
    }

    @Test("A finished cassette with a line that has no end is refused")
    func cut() throws {
        _ = try record(4)
        try change("events.jsonl") { $0.removeLast(10) }
        let error = #expect(throws: CassetteError.self) { try Cassette(at: path) }
        #expect("\(try #require(error))".hasSuffix("events.jsonl:4: the last line has no end"), "\(error as Any)")
    }

    @Test(
        "Each kind of damage is refused with its place",
        arguments: [
            ("manifest.json", #""format" : 1"#, #""format" : 2"#, "has format 2; this version reads formats up to 1"),
            ("events.jsonl", #""n":2"#, #""n":9"#, "events.jsonl:2: event 9 follows event 1"),
            ("events.jsonl", #""p":2"#, #""c":2,"p":2"#, "events.jsonl:2: the cause 2 is not an earlier event"),
            ("events.jsonl", #""d":""#, #""d":"x"#, "events.jsonl:1: there is no content"),
            ("events.jsonl", #"{"n":1"#, #"["n":1"#, "events.jsonl:1: "),
            ("contents.jsonl", "integer", "real", "contents.jsonl:1: the content is not that of the digest"),
            ("manifest.json", #""events" : 4"#, #""events" : 5"#, "but the manifest counts 5 and 2"),
            ("manifest.json", "{", "[", "manifest.json: "),
        ])
    func damage(_ file: String, _ old: String, _ new: String, _ text: String) throws {
        _ = try record(4)
        try change(file) { content in
            guard let place = content.range(of: old) else {
                Issue.record("no \(old) in \(content)")
                return
            }
            content.replaceSubrange(place, with: new)
        }
        let error = #expect(throws: CassetteError.self) { try Cassette(at: path) }
        #expect("\(try #require(error))".contains(text), "\(error as Any)")
    }

    @Test("A directory that is no cassette is named, and a directory of cassettes lists them")
    func directories() throws {
        #expect(throws: CassetteError.missing(path: "/nonexistent")) { try Cassette(at: "/nonexistent") }
        let top = scratch.url.path(percentEncoded: false) + "/."
        #expect(throws: CassetteError.noCassette(path: top)) { try Cassette(at: top) }
        _ = try record(1)
        #expect(try Cassette.all(at: path) == [path])
        #expect(try Cassette.all(at: top).count == 1)
        #expect(throws: CassetteError.several(path: top, cassettes: ["\(top)/cassette"])) { try Cassette(at: top) }
        #expect(try Cassette.all(at: "/nonexistent") == [])
        // As an exploration leaves them: one directory for each seed.
        let deep = scratch.url.path(percentEncoded: false) + "/a/b/c/d"
        try FileManager.default.createDirectory(atPath: deep + "/e", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: deep + "/phone-1")
        try FileManager.default.copyItem(atPath: path, toPath: deep + "/e/too-deep")
        #expect(try Cassette.all(at: top) == ["\(top)/a/b/c/d/phone-1", "\(top)/cassette"])
        #expect(try Cassette.all(at: "\(path)/\(CassetteFile.events)") == [])
    }

    @Test("Key paths that no content has are told, but for the one that stands for all")
    func missingPaths() throws {
        let schema = try record(2).schema
        #expect(schema.missing(["number", "*", "numbers", "a.b"]) == ["a.b", "numbers"])
        #expect(CassetteSchema().missing(["number"]) == [], "nothing was sent")
    }

    @Test("A line that is too long is refused before it is kept")
    func longLine() throws {
        _ = try record(1)
        try change("events.jsonl") { $0 = String(repeating: " ", count: 2 * 1024 * 1024) + $0 }
        let error = #expect(throws: CassetteError.self) { try Cassette(at: path) }
        #expect("\(try #require(error))".contains("is longer than 4096 bytes"), "\(error as Any)")
    }

    @Test("A disk that is full is an error with the file and the cause, and a file that exists is not opened")
    func fullDisk() throws {
        let full = try LineFile("/dev/full", flags: 0)
        let error = #expect(throws: SystemError.self) { try full.add(["one"]) }
        #expect("\(try #require(error))" == "write to /dev/full: No space left on device")
        let file = try LineFile(path)
        try file.add(["one"])
        #expect(throws: SystemError.self) { _ = try LineFile(path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\n")
    }
}
