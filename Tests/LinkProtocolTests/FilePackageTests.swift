import Foundation
import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("Invalid packages about files")
struct FilePackageTests {
    private static let transfer = UUID()

    private static func package(_ entries: [String: PropertyListValue]) throws -> MessagePackage {
        try MessagePackage(
            .fileChunk, content: entries, identifier: UUID(), timestamp: Date(timeIntervalSince1970: 0))
    }

    private static let chunk: [String: PropertyListValue] = [
        "transfer": .string(transfer.uuidString), "offset": .integer(7), "bytes": .data(Data([1, 2])),
    ]

    /// Returns entries with one of them replaced, or removed.
    private static func changed(
        _ entries: [String: PropertyListValue], _ key: String, _ value: PropertyListValue?
    ) -> [String: PropertyListValue] {
        var entries = entries
        entries[key] = value
        return entries
    }

    @Test("Each invalid entry of a piece is named, with the code of a bad file package")
    func chunks() throws {
        let cases: [(String, PropertyListValue?, String)] = [
            ("bytes", nil, "“bytes” is missing or longer than 131072 bytes"),
            ("bytes", .string("ab"), "“bytes” is missing or longer than 131072 bytes"),
            ("bytes", .data(Data(count: 131_073)), "“bytes” is missing or longer than 131072 bytes"),
            ("transfer", nil, "“transfer” is missing or not a UUID"),
            ("transfer", .string("1"), "“transfer” is missing or not a UUID"),
            ("offset", nil, "“offset” must be an integer of at least 0"),
            ("offset", .integer(-1), "“offset” must be an integer of at least 0"),
            ("offset", .string("0"), "“offset” must be an integer of at least 0"),
        ]
        for (key, value, text) in cases {
            let package = try Self.package(Self.changed(Self.chunk, key, value))
            let error = #expect(throws: ProtocolError.self) { try FilePackage.chunk(in: package) }
            #expect(error == ProtocolError(.badFile, text), "\(key)")
        }
    }

    @Test("A checksum that is none is as good as missing")
    func checksums() throws {
        let cases: [(PropertyListValue?, UInt32?)] = [
            (nil, nil), (.integer(0), 0), (.integer(0xFFFF_FFFF), .max), (.integer(0x1_0000_0000), nil),
            (.integer(-1), nil), (.string("7"), nil),
        ]
        for (value, expected) in cases {
            let package = try Self.package(Self.changed(Self.chunk, "checksum", value))
            let read = try FilePackage.chunk(in: package)
            let chunk = FilePackage.Chunk(transfer: Self.transfer, offset: 7, bytes: Data([1, 2]), checksum: expected)
            #expect(read == chunk)
        }
    }

    @Test("Progress and cancellations name their transfer; without content they are bad file packages")
    func others() throws {
        let progress = try FilePackage.progress(
            Self.transfer, offset: 0, identifier: UUID(), timestamp: Date(timeIntervalSince1970: 0))
        let read = try FilePackage.progress(in: progress)
        #expect(read.transfer == Self.transfer)
        #expect(read.offset == 0)
        let cancel = try FilePackage.cancel(
            Self.transfer, identifier: UUID(), timestamp: Date(timeIntervalSince1970: 0))
        #expect(cancel.command == .cancel)
        let cancelled = try FilePackage.transfer(in: cancel)
        #expect(cancelled == Self.transfer)
        let empty = message(.fileProgress, nil)
        let errors: [ProtocolError?] = [
            Self.error { _ = try FilePackage.progress(in: empty) },
            Self.error { _ = try FilePackage.transfer(in: empty) },
            Self.error { _ = try FilePackage.chunk(in: empty) },
            Self.error { _ = try FileOffer(empty) },
        ]
        #expect(errors == [ProtocolError?](repeating: ProtocolError(.badFile, "no content"), count: 4))
    }

    /// Returns the error of a read, if it is one of the protocol.
    private static func error(_ read: () throws -> Void) -> ProtocolError? {
        do {
            try read()
            return nil
        } catch {
            return error as? ProtocolError
        }
    }

    @Test("Each invalid entry of an offer is named, with the code of a bad file package")
    func offers() throws {
        let offer: [String: PropertyListValue] = ["name": .string("f"), "size": .integer(0)]
        let cases: [(String, PropertyListValue?, String)] = [
            ("name", nil, "“name” is missing or not a file name"),
            ("name", .data(Data([65])), "“name” is missing or not a file name"),
            ("name", .string(""), "“name” is missing or not a file name"),
            ("name", .string(String(repeating: "ü", count: 128)), "“name” is missing or not a file name"),
            ("size", nil, "“size” must be an integer of at least 0"),
            ("size", .integer(-1), "“size” must be an integer of at least 0"),
            ("size", .string("1"), "“size” must be an integer of at least 0"),
            ("metadata", .string("m"), "“metadata” is not data"),
        ]
        for (key, value, text) in cases {
            let package = try Self.package(Self.changed(offer, key, value))
            let error = #expect(throws: ProtocolError.self) { try FileOffer(package) }
            #expect(error == ProtocolError(.badFile, text), "\(key)")
        }
        let package = try Self.package(Self.changed(offer, "metadata", .data(Data([1]))))
        let read = try FileOffer(package)
        #expect(read == FileOffer(name: "f", size: 0, metadata: Data([1])))
    }

    @Test("A piece, a progress and a cancellation have their own commands")
    func commands() throws {
        let date = Date(timeIntervalSince1970: 0)
        let chunk = FilePackage.Chunk(transfer: Self.transfer, offset: 0, bytes: Data([1]), checksum: nil)
        let packages = [
            try FilePackage.chunk(chunk, identifier: UUID(), timestamp: date),
            try FilePackage.progress(Self.transfer, offset: 1, identifier: UUID(), timestamp: date),
            try FilePackage.cancel(Self.transfer, identifier: UUID(), timestamp: date),
        ]
        #expect(packages.map(\.command) == [.fileChunk, .fileProgress, .cancel])
    }

    @Test("An offer is read as it was written, with its metadata or without")
    func offerWritten() throws {
        for metadata in [nil, Data(), Data([1, 2, 3])] {
            let offer = FileOffer(name: "f", size: 7, metadata: metadata)
            let package = MessagePackage(
                identifier: UUID(), command: .transferFile, status: .sent, dataPackage: try offer.data(),
                timestamp: Date(timeIntervalSince1970: 0))
            let read = try FileOffer(package)
            #expect(read == offer)
        }
    }
}
