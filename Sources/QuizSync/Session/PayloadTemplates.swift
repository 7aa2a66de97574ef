import Foundation
import KeyedArchive
import Locking

/// Payloads around archives, by templates: one for each length that comes often. The envelope costs as much as what is in it,
/// and is always the same.
final class PayloadTemplates: Sendable {
    static let shared = PayloadTemplates()

    /// Lengths that are kept. 64: an application's archives have few lengths; templates take some hundred bytes each.
    private static let maximumTemplates = 64
    /// Shortest and longest archive with a template: shorter ones cannot be told from other bytes, of longer ones the bytes
    /// themselves take the time.
    private static let lengths = 32...16_384

    private struct Known: Sendable {
        var byArchive: [Int: ArchiveTemplate] = [:]
        var byPayload: [Int: ArchiveTemplate] = [:]
        var sightings = Sightings<Int>()
    }

    private let known = Mutex(Known())

    /// The payload around an archive.
    func payload(around archive: Data) throws -> Data {
        if let template = known.withLock({ $0.byArchive[archive.count] }) { return template.archive(archive) }
        if isWorthwhile(archive.count) { try learn(archive.count) }
        return try Self.archived(archive)
    }

    /// The archive in a payload; nil if it is not of a known length, or in any way unusual.
    func archive(in payload: Data) -> Data? { known.withLock { $0.byPayload[payload.count] }?.value(in: payload) }

    /// A payload was read without a template.
    func sighted(archiveBytes: Int) throws { if isWorthwhile(archiveBytes) { try learn(archiveBytes) } }

    private func isWorthwhile(_ bytes: Int) -> Bool {
        guard Self.lengths.contains(bytes) else { return false }
        return known.withLock { $0.sightings.add(bytes) }
    }

    private func learn(_ bytes: Int) throws {
        guard let template = try ArchiveTemplate(valueBytes: bytes, archive: Self.archived) else { return }
        known.withLock { known in
            if known.byArchive.count >= Self.maximumTemplates { known = Known() }
            known.byArchive[bytes] = template
            known.byPayload[template.archiveBytes] = template
        }
    }

    private static func archived(_ archive: Data) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: [Payload.dataKey: archive], requiringSecureCoding: true)
    }
}
