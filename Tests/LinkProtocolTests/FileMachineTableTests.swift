import Foundation
import Testing

@testable import LinkProtocol

/// Tests of an outgoing and an incoming file: every event in every state.
@Suite("File machines: every state and event")
struct FileMachineTableTests {
    private static let chunk = Int64(LinkLimits.fileChunkBytes)
    /// One piece more than may be in flight.
    private static let size = chunk * Int64(LinkLimits.fileChunks + 1)

    // MARK: - Outgoing

    enum Sending: String, CaseIterable {
        case announced
        /// The receiver had nothing: all but the last piece is sent.
        case fromZero
        /// The receiver has a part of that: everything is sent.
        case whole

        var machine: FileSendMachine {
            get throws {
                var machine = FileSendMachine(size: size)
                if self != .announced { _ = try machine.progressed(to: 0) }
                if self == .whole { _ = try machine.progressed(to: chunk * 2) }
                return machine
            }
        }
    }

    /// The number of bytes that the receiver reports as stored.
    enum Offset: String, CaseIterable {
        case zero, one, three, allButOne, all, beyond

        var bytes: Int64 {
            switch self {
            case .zero: 0
            case .one: chunk
            case .three: chunk * 3
            case .allButOne: size - chunk
            case .all: size
            case .beyond: size + 1
            }
        }
    }

    /// The pieces by their offset, counted in pieces; “last” for the last.
    private enum Pieces: Equatable {
        case of([String])
        case refused(String)
    }

    private static func pieces(_ state: Sending, _ offset: Offset) -> Pieces {
        switch (state, offset) {
        case (.announced, .zero): .of(["0", "1", "2", "3", "4", "5", "6", "7"])
        case (.announced, .one): .of(["1", "2", "3", "4", "5", "6", "7", "8 last"])
        case (.announced, .three): .of(["3", "4", "5", "6", "7", "8 last"])
        case (.announced, .allButOne): .of(["8 last"])
        case (.announced, .all): .of(["9 last"])
        case (.announced, .beyond): .refused("offset 1179649 in a file of 1179648 bytes")
        case (.fromZero, .zero): .of([])
        case (.fromZero, .one), (.fromZero, .three), (.fromZero, .allButOne): .of(["8 last"])
        case (.fromZero, .all): .refused("offset 1179648; expected 0 to 1048576")
        case (.fromZero, .beyond): .refused("offset 1179649 in a file of 1179648 bytes")
        case (.whole, .zero): .refused("offset 0; expected 262144 to 1179648")
        case (.whole, .one): .refused("offset 131072; expected 262144 to 1179648")
        case (.whole, .three), (.whole, .allButOne), (.whole, .all): .of([])
        case (.whole, .beyond): .refused("offset 1179649 in a file of 1179648 bytes")
        }
    }

    @Test("Each offset in each state yields its pieces, or is refused and changes nothing")
    func sending() throws {
        for state in Sending.allCases {
            for offset in Offset.allCases {
                var machine = try state.machine
                let former = machine.acknowledged
                do throws(ProtocolError) {
                    let pieces = try machine.progressed(to: offset.bytes)
                    let came = pieces.map { "\($0.offset / Self.chunk)" + ($0.isLast ? " last" : "") }
                    #expect(.of(came) == Self.pieces(state, offset), "\(offset) while \(state)")
                    #expect(machine.acknowledged == offset.bytes, "\(offset) while \(state)")
                } catch {
                    #expect(.refused(error.detail) == Self.pieces(state, offset), "\(offset) while \(state)")
                    #expect(error.code == .badFile, "\(offset) while \(state)")
                    #expect(machine.acknowledged == former, "\(offset) while \(state)")
                }
            }
        }
    }

    // MARK: - Incoming

    enum Receiving: String, CaseIterable {
        case nothing, part
        /// All bytes have arrived, but not the end.
        case allBytes
        case whole

        var machine: FileReceiveMachine {
            get throws {
                switch self {
                case .nothing: return FileReceiveMachine(size: 10, received: 0)
                case .part: return FileReceiveMachine(size: 10, received: 4)
                case .allBytes: return FileReceiveMachine(size: 10, received: 10)
                case .whole:
                    var machine = FileReceiveMachine(size: 10, received: 0)
                    _ = try machine.received(FileMachineTableTests.piece(0, 10, 7))
                    return machine
                }
            }
        }
    }

    enum Chunk: String, CaseIterable {
        case first, fromFour, lastFromFour, lastWithoutSum, sumTooEarly, tooLong, empty, end

        var chunk: FilePackage.Chunk {
            switch self {
            case .first: FileMachineTableTests.piece(0, 4)
            case .fromFour: FileMachineTableTests.piece(4, 4)
            case .lastFromFour: FileMachineTableTests.piece(4, 6, 7)
            case .lastWithoutSum: FileMachineTableTests.piece(4, 6)
            case .sumTooEarly: FileMachineTableTests.piece(4, 5, 7)
            case .tooLong: FileMachineTableTests.piece(4, 7, 7)
            case .empty: FileMachineTableTests.piece(4, 0)
            case .end: FileMachineTableTests.piece(10, 0, 7)
            }
        }
    }

    private static func piece(_ offset: Int64, _ count: Int, _ checksum: UInt32? = nil) -> FilePackage.Chunk {
        FilePackage.Chunk(transfer: UUID(), offset: offset, bytes: Data(count: count), checksum: checksum)
    }

    private enum Outcome: Equatable {
        /// The number of bytes stored afterwards.
        case comes(FileReceiveMachine.ChunkAction, received: Int64)
        case refused(String)
    }

    private static func outcome(_ state: Receiving, _ chunk: Chunk) -> Outcome {
        switch (state, chunk) {
        case (.nothing, .first): .comes(.write, received: 4)
        case (.nothing, .fromFour), (.nothing, .lastFromFour), (.nothing, .lastWithoutSum):
            .refused("a chunk at 4; expected 0")
        case (.nothing, .sumTooEarly), (.nothing, .tooLong), (.nothing, .empty): .refused("a chunk at 4; expected 0")
        case (.nothing, .end): .refused("a chunk at 10; expected 0")
        case (.part, .first): .refused("a chunk at 0; expected 4")
        case (.part, .fromFour): .comes(.write, received: 8)
        case (.part, .lastFromFour): .comes(.finish(checksum: 7), received: 10)
        case (.part, .lastWithoutSum): .refused("no checksum at the end")
        case (.part, .sumTooEarly): .refused("the file ends at 9 of 10 bytes")
        case (.part, .tooLong): .refused("more than the announced 10 bytes")
        case (.part, .empty): .refused("the file ends at 4 of 10 bytes")
        case (.part, .end): .refused("a chunk at 10; expected 4")
        case (.allBytes, .first): .refused("a chunk at 0; expected 10")
        case (.allBytes, .fromFour), (.allBytes, .lastFromFour), (.allBytes, .lastWithoutSum):
            .refused("a chunk at 4; expected 10")
        case (.allBytes, .sumTooEarly), (.allBytes, .tooLong), (.allBytes, .empty):
            .refused("a chunk at 4; expected 10")
        case (.allBytes, .end): .comes(.finish(checksum: 7), received: 10)
        case (.whole, .first), (.whole, .fromFour), (.whole, .lastFromFour), (.whole, .lastWithoutSum):
            .refused("a chunk after the last of 10 bytes")
        case (.whole, .sumTooEarly), (.whole, .tooLong), (.whole, .empty), (.whole, .end):
            .refused("a chunk after the last of 10 bytes")
        }
    }

    @Test("Each piece in each state is written or ends the file, or is refused and changes nothing")
    func receiving() throws {
        for state in Receiving.allCases {
            for chunk in Chunk.allCases {
                var machine = try state.machine
                let former = machine.received
                do throws(ProtocolError) {
                    let came = Outcome.comes(try machine.received(chunk.chunk), received: machine.received)
                    #expect(came == Self.outcome(state, chunk), "\(chunk) while \(state)")
                } catch {
                    #expect(.refused(error.detail) == Self.outcome(state, chunk), "\(chunk) while \(state)")
                    #expect(error.code == .badFile, "\(chunk) while \(state)")
                    #expect(machine.received == former, "\(chunk) while \(state)")
                }
            }
        }
    }
}
