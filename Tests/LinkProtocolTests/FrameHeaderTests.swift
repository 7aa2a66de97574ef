import Foundation
import Testing

@testable import LinkProtocol

@Suite("Headers of frames")
struct FrameHeaderTests {
    @Test("A header requests no acknowledgement unless something else is said")
    func plain() {
        let header = FrameHeader(.package, length: 5)
        #expect(!header.wantsAcknowledgement)
        #expect(header.word == 5)
    }

    @Test("An acknowledgement comes from a conditioned link unless something else is said")
    func conditioned() {
        let word = Acknowledgement(end: 0, arrival: at(0))
        #expect(word.isConditioned)
        #expect(word.frame.last == 1)
        let bare = Acknowledgement(end: 0, arrival: at(0), isConditioned: false)
        #expect(bare.frame.last == 0)
    }

    @Test("In the first version the whole word is the length of a package, which requests nothing")
    func firstVersion() throws {
        let header = try FrameHeader(10, version: 1, maximumBytes: 10)
        #expect(header == FrameHeader(.package, length: 10))
        let error = #expect(throws: ProtocolError.self) {
            try FrameHeader(0x8000_0001, version: 1, maximumBytes: 10)
        }
        #expect(error == ProtocolError(.frameTooLong, "2147483649 bytes; the limit is 10"))
    }

    @Test("A package of the first version is not acknowledged")
    func unacknowledged() throws {
        var receiver = FrameReceiver(PieceBudget())
        let bytes: [UInt8] = [0, 0, 0, 1, 9]
        let item = try bytes.withUnsafeBytes { bytes in
            receiver.begin(bytes)
            defer { receiver.end() }
            return try receiver.nextKind()
        }
        guard case .package(9, bytes: 1)? = item else {
            Issue.record("\(String(describing: item))")
            return
        }
        let word = receiver.acknowledge(at: at(0))
        #expect(word == nil)
    }

    @Test("In the second version the length has 24 bits")
    func longest() throws {
        let most = 0xFF_FFFF
        let header = FrameHeader(.acknowledgement, length: most, wantsAcknowledgement: true)
        #expect(header.word == 0x82FF_FFFF)
        let read = try FrameHeader(header.word, version: 2, maximumBytes: most)
        #expect(read == header)
        let error = #expect(throws: ProtocolError.self) {
            try FrameHeader(header.word, version: 2, maximumBytes: most - 1)
        }
        #expect(error == ProtocolError(.frameTooLong, "16777215 bytes; the limit is 16777214"))
    }
}
