import Foundation
import Testing

@testable import LinkProtocol

@Suite("Pieces")
struct PieceTests {
    private static func piece(_ stream: Int, _ length: Int, _ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        // The header's numbers, after that of the frame.
        Array(
            PieceHeader(stream: stream, length: length, offset: offset)
                .frame(count: bytes.count, wantsAcknowledgement: false).dropFirst(FrameHeader.bytes)) + bytes
    }

    private static func add(_ body: [UInt8], to assembler: PieceAssembler) throws -> [UInt8]? {
        try body.withUnsafeBytes { try assembler.add($0) }
    }

    @Test("Pieces of several streams are assembled, each in its own order")
    func interleaved() throws {
        let memory = PieceBudget()
        let assembler = PieceAssembler(memory)
        let begun = try Self.add(Self.piece(0, 3, 0, [1, 2]), to: assembler)
        #expect(begun == nil)
        let otherBegun = try Self.add(Self.piece(5, 2, 0, [8]), to: assembler)
        #expect(otherBegun == nil)
        #expect(memory.used == 3)
        #expect(assembler.isInsidePackage)
        let whole = try Self.add(Self.piece(0, 3, 2, [3]), to: assembler)
        #expect(whole == [1, 2, 3])
        let otherWhole = try Self.add(Self.piece(5, 2, 1, [9]), to: assembler)
        #expect(otherWhole == [8, 9])
        #expect(memory.used == 0)
        #expect(!assembler.isInsidePackage)
        let anew = try Self.add(Self.piece(0, 1, 0, [7]), to: assembler)
        #expect(anew == [7], "a stream begins anew")
    }

    @Test("The bytes of a connection are released with it")
    func givenBack() throws {
        let memory = PieceBudget()
        var assembler: PieceAssembler? = PieceAssembler(memory)
        _ = try Self.add(Self.piece(0, 9, 0, [1, 2]), to: try #require(assembler))
        #expect(memory.used == 2)
        assembler = nil
        #expect(memory.used == 0)
    }

    @Test(
        "A piece that is missing, repeated, too long or misplaced is an error that describes it",
        arguments: [
            (Self.piece(0, 9, 4, [1]), "bad piece: a piece at 4 of stream 0; expected 2"),
            (Self.piece(0, 9, 0, [1]), "bad piece: a piece at 0 of stream 0; expected 2"),
            (Self.piece(0, 8, 2, [1]), "bad piece: a package of 8 bytes, announced with 9"),
            (Self.piece(0, 9, 2, [UInt8](repeating: 0, count: 8)), "bad piece: 10 bytes of a package of 9"),
            (Self.piece(1, 9, 3, [1]), "bad piece: a piece at 3 of stream 1; expected 0"),
            (Self.piece(1, 1, 0, [1, 2]), "bad piece: 2 bytes of a package of 1"),
            (Self.piece(1, 0, 0, [1]), "bad piece: a package of 0 bytes; the limit is 524288"),
            (Self.piece(1, 524_289, 0, [1]), "bad piece: a package of 524289 bytes; the limit is 524288"),
            (Self.piece(8, 9, 0, [1]), "bad piece: stream 8; the highest is 7"),
            (Self.piece(4_294_967_295, 9, 0, [1]), "bad piece: stream 4294967295; the highest is 7"),
            (Self.piece(1, 9, 0, []), "bad piece: 12 bytes; the minimum is 13"),
            ([1, 2, 3], "bad piece: 3 bytes; the minimum is 13"),
        ])
    func refused(_ body: [UInt8], _ text: String) throws {
        let assembler = PieceAssembler(PieceBudget())
        _ = try Self.add(Self.piece(0, 9, 0, [1, 2]), to: assembler)
        let error = #expect(throws: ProtocolError.self) { try Self.add(body, to: assembler) }
        #expect(error?.description == text)
    }

    @Test("A package of the largest size is assembled; the unfinished ones of a peer are limited")
    func bounds() throws {
        let assembler = PieceAssembler(PieceBudget())
        let most = LinkLimits.frameBytes
        let half = [UInt8](repeating: 7, count: most / 2)
        let begun = try Self.add(Self.piece(0, most, 0, half), to: assembler)
        #expect(begun == nil)
        let count = try Self.add(Self.piece(0, most, most / 2, half), to: assembler)?.count
        #expect(count == most)

        let almost = [UInt8](repeating: 7, count: most - 1)
        for stream in 0..<4 { _ = try Self.add(Self.piece(stream, most, 0, almost), to: assembler) }
        let small = try Self.add(Self.piece(4, 9, 0, [1, 2, 3, 4]), to: assembler)
        #expect(small == nil)
        let error = #expect(throws: ProtocolError.self) { try Self.add(Self.piece(5, 9, 0, [1]), to: assembler) }
        #expect(error?.description == "too many pieces: 2097153 bytes of incomplete packages; the limit is 2097152")
    }

    @Test("An assembler whose connection ends gives its bytes back once, and its streams begin anew")
    func removed() throws {
        let memory = PieceBudget(limit: 10)
        var assembler: PieceAssembler? = PieceAssembler(memory)
        for stream in 0..<2 {
            _ = try Self.add(Self.piece(stream, 9, 0, [1, 2]), to: try #require(assembler))
        }
        assembler?.removeAll()
        #expect(memory.used == 0)
        let isInside = assembler?.isInsidePackage
        #expect(isInside == false)
        let anew = try Self.add(Self.piece(0, 1, 0, [7]), to: try #require(assembler))
        #expect(anew == [7])
        assembler = nil
        #expect(memory.used == 0)
    }

    @Test("All peers of an endpoint together are limited")
    func boundOfAll() throws {
        let memory = PieceBudget(limit: 10)
        let (first, second) = (PieceAssembler(memory), PieceAssembler(memory))
        let one = try Self.add(Self.piece(0, 9, 0, [1, 2, 3, 4, 5]), to: first)
        #expect(one == nil)
        let two = try Self.add(Self.piece(0, 9, 0, [1, 2, 3, 4, 5]), to: second)
        #expect(two == nil)
        let error = #expect(throws: ProtocolError.self) { try Self.add(Self.piece(0, 9, 5, [6]), to: second) }
        #expect(error?.description == "too many pieces: incomplete packages of all peers already use 10 bytes")
        #expect(memory.used == 10)
    }
}

@Suite("Frames of the second version")
struct FrameReceiverTests {
    private typealias Item = FrameReceiver.Item<[UInt8]>

    /// Decodes bytes as a receiver, and returns its acknowledgements.
    private static func receive(
        _ bytes: [UInt8], version: Int = 2
    ) throws -> (items: [Item], acknowledgement: [UInt8]?) {
        var receiver = FrameReceiver(PieceBudget())
        receiver.greeted(version: version)
        var items: [Item] = []
        try bytes.withUnsafeBytes { bytes in
            receiver.begin(bytes)
            while let item = try receiver.next({ [UInt8]($0) }) { items.append(item) }
            receiver.end()
        }
        return (items, receiver.acknowledge(at: MonotonicTime(nanoseconds: 0x0102))?.frame)
    }

    @Test("An acknowledgement counts all bytes of frames, has the time of reading, and is sent only on request")
    func acknowledged() throws {
        let asked: [UInt8] = [0x80, 0, 0, 2, 1, 2]
        let unasked = try Self.receive([0, 0, 0, 1, 9]).acknowledgement
        #expect(unasked == nil)
        let acknowledgement = try Self.receive([0, 0, 0, 1, 9] + asked).acknowledgement
        let expected: [UInt8] = [0x02, 0, 0, 17] + [0, 0, 0, 0, 0, 0, 0, 11] + [0, 0, 0, 0, 0, 0, 1, 2] + [1]
        #expect(acknowledgement == expected)
        // Acknowledgements themselves do not count.
        let word: [UInt8] = [0x02, 0, 0, 17] + [0, 0, 0, 0, 0, 0, 1, 0] + [0, 0, 0, 0, 0, 0, 0, 5] + [0xFE]
        let (items, answer) = try Self.receive(word + asked)
        #expect(answer?[11] == 6)
        guard case .acknowledgement(let read)? = items.first else {
            Issue.record("\(items)")
            return
        }
        // Unknown flags are ignored.
        #expect(read == Acknowledgement(end: 256, arrival: MonotonicTime(nanoseconds: 5), isConditioned: false))
    }

    @Test("Pieces between whole packages, split anywhere", arguments: [1, 3, 7, 1_000])
    func pieces(_ cut: Int) throws {
        let package: [UInt8] = Array(0..<100)
        let header = { PieceHeader(stream: 3, length: 100, offset: $0).frame(count: 50, wantsAcknowledgement: true) }
        let bytes = header(0) + package[..<50] + [0, 0, 0, 1, 9] + header(50) + package[50...]
        var receiver = FrameReceiver(PieceBudget())
        receiver.greeted(version: 2)
        var packages: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: cut) {
            try Array(bytes[start..<min(start + cut, bytes.count)]).withUnsafeBytes { bytes in
                receiver.begin(bytes)
                while let item = try receiver.next({ [UInt8]($0) }) {
                    if case .package(let package, _) = item { packages.append(package) }
                }
                receiver.end()
            }
        }
        #expect(packages == [[9], package])
        #expect(!receiver.isInsidePackage)
        #expect(receiver.acknowledge(at: at(0))?.end == Int64(bytes.count))
    }

    @Test(
        "Invalid frames are refused",
        arguments: [
            ([0x03, 0, 0, 1, 0], "unknown frame: kind 3; the highest is 2"),
            ([0x7F, 0, 0, 1, 0], "unknown frame: kind 127; the highest is 2"),
            ([0x80, 0, 0, 0], "empty frame: the length is 0"),
            ([0x00, 0xFF, 0, 0], "frame too long: 16711680 bytes; the limit is 524288"),
            ([0x02, 0, 0, 1, 0], "bad acknowledgement: 1 bytes; expected 17"),
            ([0x02, 0, 0, 16] + [UInt8](repeating: 0, count: 16), "bad acknowledgement: 16 bytes; expected 17"),
            ([0x02, 0, 0, 18] + [UInt8](repeating: 0, count: 18), "bad acknowledgement: 18 bytes; expected 17"),
        ] as [([UInt8], String)])
    func refused(_ bytes: [UInt8], _ text: String) {
        let error = #expect(throws: ProtocolError.self) { try Self.receive(bytes) }
        #expect(error?.description == text)
    }

    @Test("In the first version the same bytes are a length that is too large")
    func firstVersion() {
        for first in [0x01, 0x02, 0x80] as [UInt8] {
            let error = #expect(throws: ProtocolError.self) { try Self.receive([first, 0, 0, 8] + [0], version: 1) }
            #expect(error?.code == .frameTooLong)
        }
    }

    /// Returns the packages in bytes that a receiver reads, or the code of its error.
    private static func read(_ bytes: [UInt8], _ receiver: inout FrameReceiver) -> Result<[[UInt8]], ProtocolError> {
        bytes.withUnsafeBytes { bytes -> Result<[[UInt8]], ProtocolError> in
            var packages: [[UInt8]] = []
            receiver.begin(bytes)
            defer { receiver.end() }
            do throws(ProtocolError) {
                while let item = try receiver.next({ [UInt8]($0) }) {
                    if case .package(let package, _) = item { packages.append(package) }
                }
                return .success(packages)
            } catch {
                return .failure(error)
            }
        }
    }

    @Test("The hello may have 8 KiB, and a frame after it 512 KiB; the length alone decides")
    func longest() {
        for (isGreeted, most) in [(false, LinkLimits.helloBytes), (true, LinkLimits.frameBytes)] {
            for more in [0, 1] {
                var receiver = FrameReceiver(PieceBudget())
                if isGreeted { receiver.greeted(version: 2) }
                let header = withUnsafeBytes(of: UInt32(most + more).bigEndian) { [UInt8]($0) }
                let came = Self.read(header, &receiver)
                let expected: Result<[[UInt8]], ProtocolError> =
                    more == 0
                    ? .success([])
                    : .failure(ProtocolError(.frameTooLong, "\(most + 1) bytes; the limit is \(most)"))
                #expect(came == expected, "\(most + more) bytes")
            }
        }
    }

    @Test("Bytes are kept until their frame is complete, or the connection ends")
    func kept() {
        var receiver = FrameReceiver(PieceBudget())
        var kept: [Int] = []
        for bytes in [[0, 0, 0], [2], [7], [8], [0]] as [[UInt8]] {
            let packages = Self.read(bytes, &receiver)
            let expected: Result<[[UInt8]], ProtocolError> = .success(bytes == [8] ? [[7, 8]] : [])
            #expect(packages == expected, "\(bytes)")
            kept.append(receiver.keptBytes)
            let isInside = receiver.isInsidePackage
            #expect(isInside == (bytes != [8]), "\(bytes)")
        }
        #expect(kept == [3, 4, 5, 0, 1])
        receiver.close()
        #expect(receiver.keptBytes == 0)
        let isInside = receiver.isInsidePackage
        #expect(!isInside)
    }

    @Test("The hello does not count as acknowledged, and a request is answered once")
    func counted() {
        var receiver = FrameReceiver(PieceBudget())
        let hello = Self.read([0, 0, 0, 1, 9], &receiver)
        receiver.greeted(version: 2)
        let asking = Self.read([0x80, 0, 0, 2, 1, 2], &receiver)
        #expect(hello == .success([[9]]))
        #expect(asking == .success([[1, 2]]))
        let words = [0, 1].map { _ in receiver.acknowledge(at: at(0), isConditioned: false) }
        let expected = [Acknowledgement(end: 6, arrival: at(0), isConditioned: false), nil]
        #expect(words == expected)
    }
}
