import Foundation
import KeyedArchive
import Locking

/// Payloads around archives, by templates: one for each length that comes often. The envelope costs as much as what is in it,
/// and is always the same.
final class PayloadTemplates: Sendable {
    static let shared = PayloadTemplates()

    /// Forms that are kept. 128: an application's archives have few lengths; templates take some hundred bytes each.
    private static let maximumTemplates = 128
    /// Shortest and longest archive with a template: shorter ones cannot be told from other bytes, of longer ones the bytes
    /// themselves take the time.
    private static let lengths = 32...16_384

    /// What payloads have in common that differ only in their values.
    private struct Form: Hashable {
        let archiveBytes: Int
        let namesPredecessor: Bool

        init(_ content: QuizContent) {
            archiveBytes = content.archive.count
            namesPredecessor = content.predecessor != nil
        }
    }

    private struct Known: Sendable {
        var templates: [Form: ArchiveTemplate] = [:]
        /// By the length of their payloads, which two forms may share.
        var byLength: [Int: [ArchiveTemplate]] = [:]
        var sightings = Sightings<Form>()
    }

    private let known = Mutex(Known())

    /// The payload around an archive, by itself or behind another quiz.
    func payload(around archive: Data, after predecessor: UUID? = nil) throws -> Data {
        let content = QuizContent(archive: archive, predecessor: predecessor)
        if let template = known.withLock({ $0.templates[Form(content)] }) { return template.archive(content.values) }
        try sighted(content)
        return try Self.archived(content.values)
    }

    /// What is in a payload; nil if it is not of a known length, or in any way unusual.
    func content(of payload: Data) -> QuizContent? {
        for template in known.withLock({ $0.byLength[payload.count] }) ?? [] {
            if let values = template.values(in: payload) { return QuizContent(values) }
        }
        return nil
    }

    /// A payload was made or read without a template.
    func sighted(_ content: QuizContent) throws {
        let form = Form(content)
        guard Self.lengths.contains(form.archiveBytes), known.withLock({ $0.sightings.add(form) }),
            let template = try ArchiveTemplate(lengths: content.values.map(\.count), archive: Self.archived)
        else { return }
        known.withLock { known in
            if known.templates.count >= Self.maximumTemplates { known = Known() }
            guard known.templates.updateValue(template, forKey: form) == nil else { return }
            known.byLength[template.archiveBytes, default: []].append(template)
        }
    }

    private static func archived(_ values: [Data]) throws -> Data {
        let payload = Dictionary(zip([Payload.dataKey, Payload.predecessorKey], values)) { first, _ in first }
        return try KeyedArchiver.archivedData(withRootObject: payload, requiringSecureCoding: true)
    }
}
