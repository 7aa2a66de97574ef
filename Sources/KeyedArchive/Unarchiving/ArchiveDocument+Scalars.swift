import Foundation

extension ArchiveDocument {
    /// The time of a date's record, in seconds since 2001-01-01 UTC.
    func seconds(of record: Record) throws(ArchiveError) -> Double {
        guard let place = try find("NS.time", in: record), case .real(let seconds) = try list.object(at: place) else {
            throw ArchiveError(.missingValue, "no time under “NS.time”", offset: record.offset)
        }
        // Printing a date that is not a number traps on Linux: it must not come to exist.
        guard seconds.isFinite else {
            throw ArchiveError(.corruptObject, "date is not a finite number", offset: record.offset)
        }
        return seconds
    }

    func uuid(of record: Record) throws(ArchiveError) -> UUID {
        guard let place = try find("NS.uuidbytes", in: record), case .data(let range) = try list.object(at: place)
        else {
            throw ArchiveError(.missingValue, "no data under “NS.uuidbytes”", offset: record.offset)
        }
        guard range.count == MemoryLayout<uuid_t>.size else {
            throw ArchiveError(.corruptObject, "UUID of \(range.count) bytes", offset: record.offset)
        }
        var identifier = UUID().uuid
        withUnsafeMutableBytes(of: &identifier) { $0.copyBytes(from: list.bytes[range]) }
        return UUID(uuid: identifier)
    }
}
