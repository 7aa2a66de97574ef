import Foundation
import Processes
import Testing

@testable import Cassettes

@Suite("Records of claims")
struct ClaimRecordTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch.url.path(percentEncoded: false) + "/record" }
    private static let head = #"{"format":1,"phone":"iPhone, iOS 26","watch":"Apple Watch, watchOS 26"}"#
    private static let observed =
        #"{"claim":"Messages arrive in order","id":"message.order","observed":"1 2 3","side":"phone"}"#
    private static let notTried =
        #"{"claim":"Messages arrive in order","id":"message.order","notTried":"no time","side":"watch"}"#

    init() throws {
        scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(ClaimRecord.file)"))
    }

    @Test(
        "A record is read from its directory or its file, with empty lines, and without a last end",
        arguments: ["\(head)\n\(observed)\n\(notTried)\n", "\n\(head)\n\n\(observed)\r\n\(notTried)"])
    func read(_ text: String) throws {
        try write(text)
        for place in [path, "\(path)/\(ClaimRecord.file)"] {
            #expect(ClaimRecord.exists(at: place), "\(place)")
            let record = try ClaimRecord(at: place)
            #expect(record.phone == "iPhone, iOS 26" && record.watch == "Apple Watch, watchOS 26", "\(record)")
            let words = "Messages arrive in order"
            #expect(
                record.claims == [
                    ObservedClaim(.init(id: "message.order", side: "phone"), words: words, .observed("1 2 3")),
                    ObservedClaim(.init(id: "message.order", side: "watch"), words: words, .notTried("no time")),
                ], "\(record.claims)")
        }
    }

    @Test(
        "What is no record is refused, with the line",
        arguments: [
            ("", nil, "it has no claims; give the file that the probe has written"),
            (head, nil, "it has no claims; give the file that the probe has written"),
            (#"{"format":2,"phone":"a","watch":"b"}"#, 1, "the record has format 2; this version reads format 1"),
            ("\(head)\n\(observed)\n\n\(observed)", 4, "the phone's “message.order” is there twice"),
            (
                "\(head)\n" + #"{"claim":"c","id":"i","side":"phone"}"#, 2,
                "a claim has either “observed” or “notTried”"
            ),
            (
                "\(head)\n" + #"{"claim":"c","id":"i","side":"phone","observed":"o","notTried":"n"}"#, 2,
                "a claim has either “observed” or “notTried”"
            ),
        ] as [(String, Int?, String)])
    func refused(_ text: String, _ line: Int?, _ reason: String) throws {
        try write(text)
        let file = "\(path)/\(ClaimRecord.file)"
        #expect(throws: CassetteError.malformed(path: file, line: line, reason: reason)) {
            try ClaimRecord(at: path)
        }
    }

    @Test("A cassette, an empty directory and nothing at all are no records")
    func others() throws {
        #expect(!ClaimRecord.exists(at: path), "an empty directory")
        #expect(!ClaimRecord.exists(at: path + "/nowhere"), "nothing")
        try write("\(Self.head)\n\(Self.observed)")
        try Data().write(to: URL(filePath: "\(path)/\(CassetteFile.manifest)"))
        #expect(!ClaimRecord.exists(at: path), "a cassette")
        try Data(count: CassetteLimits.claims + 1).write(to: URL(filePath: "\(path)/\(ClaimRecord.file)"))
        let file = "\(path)/\(ClaimRecord.file)"
        #expect(throws: CassetteError.tooLong(path: file, limit: CassetteLimits.claims)) { try ClaimRecord(at: path) }
    }
}
