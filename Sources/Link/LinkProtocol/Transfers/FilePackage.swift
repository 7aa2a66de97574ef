package import Foundation
import KeyedArchive

/// The link's packages about a file transfer in progress: chunks and the receiver's progress.
package enum FilePackage {
    /// A chunk of a file in transfer.
    package struct Chunk: Equatable, Sendable {
        package let transfer: UUID
        package let offset: Int64
        package let bytes: Data
        /// The CRC-32 of the whole file as computed by zlib; only in the last chunk.
        package let checksum: UInt32?

        package init(transfer: UUID, offset: Int64, bytes: Data, checksum: UInt32?) {
            self.transfer = transfer
            self.offset = offset
            self.bytes = bytes
            self.checksum = checksum
        }
    }

    private enum Key {
        static let transfer = "transfer"
        static let offset = "offset"
        static let bytes = "bytes"
        static let checksum = "checksum"
    }

    // MARK: - Writing

    package static func chunk(_ chunk: Chunk, identifier: UUID, timestamp: Date) throws -> MessagePackage {
        var entries: [String: PropertyListValue] = [
            Key.transfer: .string(chunk.transfer.text), Key.offset: .integer(chunk.offset),
            Key.bytes: .data(chunk.bytes),
        ]
        entries[Key.checksum] = chunk.checksum.map { .integer(Int64($0)) }
        return try package(.fileChunk, entries, identifier, timestamp)
    }

    /// Returns a report that the receiver has the file up to an offset and expects the rest.
    package static func progress(
        _ transfer: UUID, offset: Int64, identifier: UUID, timestamp: Date
    ) throws -> MessagePackage {
        try package(
            .fileProgress, [Key.transfer: .string(transfer.text), Key.offset: .integer(offset)], identifier,
            timestamp)
    }

    package static func cancel(_ transfer: UUID, identifier: UUID, timestamp: Date) throws -> MessagePackage {
        try package(.cancel, [Key.transfer: .string(transfer.text)], identifier, timestamp)
    }

    private static func package(
        _ command: Command, _ entries: [String: PropertyListValue], _ identifier: UUID, _ timestamp: Date
    ) throws -> MessagePackage {
        try MessagePackage(command, content: entries, identifier: identifier, timestamp: timestamp)
    }

    // MARK: - Reading

    package static func chunk(in package: MessagePackage) throws(ProtocolError) -> Chunk {
        let content = try package.content(.badFile)
        guard case .data(let bytes) = content[Key.bytes], bytes.count <= LinkLimits.fileChunkBytes else {
            throw ProtocolError(.badFile, "“\(Key.bytes)” is missing or longer than \(LinkLimits.fileChunkBytes) bytes")
        }
        var checksum: UInt32?
        if case .integer(let value) = content[Key.checksum] { checksum = UInt32(exactly: value) }
        return Chunk(
            transfer: try transfer(content), offset: try offset(content), bytes: bytes, checksum: checksum)
    }

    package static func progress(
        in package: MessagePackage
    ) throws(ProtocolError) -> (transfer: UUID, offset: Int64) {
        let content = try package.content(.badFile)
        return (try transfer(content), try offset(content))
    }

    /// Returns the transfer to which a package belongs.
    package static func transfer(in package: MessagePackage) throws(ProtocolError) -> UUID {
        try transfer(try package.content(.badFile))
    }

    private static func transfer(_ content: PropertyListValue) throws(ProtocolError) -> UUID {
        guard case .string(let text) = content[Key.transfer], let transfer = UUID(text: text) else {
            throw ProtocolError(.badFile, "“\(Key.transfer)” is missing or not a UUID")
        }
        return transfer
    }

    private static func offset(_ content: PropertyListValue) throws(ProtocolError) -> Int64 {
        guard case .integer(let offset) = content[Key.offset], offset >= 0 else {
            throw ProtocolError(.badFile, "“\(Key.offset)” must be an integer of at least 0")
        }
        return offset
    }
}
