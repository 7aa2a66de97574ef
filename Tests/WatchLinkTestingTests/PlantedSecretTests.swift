import Cassettes
import Foundation
import KeyedArchive
import Locking
import Processes
import TestSupport
import Testing
import WatchLinkTesting

/// Ten thousand secrets are sent in every way, and a scanner that shares nothing with the product looks for them.
@Suite("Planted secrets", .serialized)
struct PlantedSecretTests {
    private static let count = 10_000
    private static let chunk = 500

    private let scratch: ScratchDirectory
    private var folder: URL { scratch.url.appending(path: "cassette") }
    private var list: String { scratch.url.appending(path: "secrets.txt").path(percentEncoded: false) }

    init() throws { scratch = try ScratchDirectory() }

    /// A secret of a kind: a word, an address, a name with a space and an umlaut, a number.
    private static func secret(_ number: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let word = String((0..<9).map { _ in letters.randomElement() ?? "x" })
        return switch number % 4 {
        case 0: word
        case 1: "\(word)@example.org"
        case 2: "\(word.capitalized) Müller"
        default: String(Int64.random(in: 100_000_000_000...999_999_999_999))
        }
    }

    /// A dictionary with secrets as values, keys, data, numbers, documents and archives.
    private static func content(_ secrets: [String]) throws -> [String: Any] {
        var keys: [String: Any] = [:]
        var (texts, data, numbers, documents): ([String], [Data], [Any], [String]) = ([], [], [], [])
        for (place, secret) in secrets.enumerated() {
            switch place % 5 {
            case 0: texts.append(secret)
            case 1: data.append(Data(secret.utf8))
            case 2: documents.append(#"{"who":"\#(secret)","all":["\#(secret)"]}"#)
            case 3: data.append(try PropertyListValue(object: ["who": secret]).binaryData())
            // A plain word as a key is a name in code, so that it is a value there.
            default: keys[place % 4 == 0 ? "key of \(secret)" : "\(secret)!"] = secret
            }
            if let number = Int64(secret) {
                numbers.append(number)
                numbers.append(Date(timeIntervalSinceReferenceDate: Double(number) / 1_000))
            }
        }
        return ["texts": texts, "data": data, "numbers": numbers, "documents": documents, "map": keys]
    }

    private func scan(_ directory: URL) throws -> (code: Int32, output: String) {
        let python = Process()
        let output = Pipe()
        python.executableURL = ProjectFiles.root.appending(path: "Tests/Secrets/scan")
        python.arguments = [directory.path(percentEncoded: false), list]
        (python.standardOutput, python.standardError) = (output, output)
        try python.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        python.waitUntilExit()
        return (python.terminationStatus, text)
    }

    /// Sends the secrets as messages, data, contexts, user infos and files; the phone sends messages back.
    private func play(_ secrets: [String], keeping kept: [String] = []) async throws {
        let phoneApp = RecordingDelegate(answer: { $0 }, data: { $0 })
        let watchApp = RecordingDelegate()
        let pair = try SimulatedPair(times: .real)
        let recording = try pair.record(to: folder, keeping: kept)
        try await pair.start(phone: phoneApp, watch: watchApp)
        let session = pair.watch.session
        let files = scratch.url.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        for start in stride(from: 0, to: secrets.count, by: Self.chunk) {
            let part = Array(secrets[start..<min(start + Self.chunk, secrets.count)])
            let content = try Self.content(part)
            switch start / Self.chunk % 5 {
            case 0: session.sendMessage(content, replyHandler: { _ in })
            case 1:
                session.sendMessageData(try PropertyListValue(object: content).binaryData(), replyHandler: { _ in })
            case 2: try session.updateApplicationContext(content)
            case 3: session.transferUserInfo(content)
            default:
                let file = files.appending(path: part[2] + ".txt")
                try Data(part.joined(separator: "\n").utf8).write(to: file)
                session.transferFile(file, metadata: content)
            }
        }
        try await pair.waitUntil("everything has arrived") {
            let calls = phoneApp.calls
            let ledger = try pair.ledger(of: .watch)
            return !calls.isEmpty && ledger.allSatisfy { [.delivered, .replied, .coalesced].contains($0.state) }
        }
        await pair.watch.stop()
        await pair.phone.stop()
        let summary = recording.finish()
        #expect(summary.reason == nil, "\(summary)")
    }

    @Test(
        "None of ten thousand secrets is in a cassette, in any of twenty encodings, and an event takes 120 bytes at most"
    )
    func none() async throws {
        let secrets = (0..<Self.count).map(Self.secret)
        try Data(secrets.joined(separator: "\n").utf8).write(to: URL(filePath: list))
        try await play(secrets)
        let result = try scan(folder)
        #expect(result.code == 0, "\(result.output)")
        #expect(result.output.contains("0 findings of 10000 secrets in 4 files"), "\(result.output)")
        let cassette = try Cassette(at: folder.path(percentEncoded: false))
        #expect(try SecretSearch(secrets).findings(in: cassette.path) == [])
        // All of them went through it: a token for each secret, at least.
        let tokens = cassette.contents.values.map(\.value.text).joined().matches(of: /~[a-z]{15}"/).map(\.output)
        #expect(Set(tokens).count >= Self.count)
        let bytes = try Data(contentsOf: folder.appending(path: "events.jsonl")).count
        #expect(bytes / cassette.events.count <= 120, "\(bytes / cassette.events.count) bytes an event")
    }

    @Test("The scanners find what a kept key path shows, so that their silence means something")
    func control() async throws {
        let secrets = (0..<40).map(Self.secret)
        try Data(secrets.joined(separator: "\n").utf8).write(to: URL(filePath: list))
        try await play(secrets, keeping: ["texts[]", "data[]"])
        let shown = Set(secrets.enumerated().filter { [0, 1, 3].contains($0.offset % 5) }.map(\.element))
        let result = try scan(folder)
        #expect(result.code == 1)
        let found = Set(secrets.filter { result.output.contains("'\($0)'") })
        #expect(found == shown, "\(result.output)")
        let findings = try SecretSearch(secrets).findings(in: folder.path(percentEncoded: false))
        #expect(Set(findings.map { secrets[$0.secret - 1] }) == shown)
    }
}
