import Foundation
import KeyedArchive
import Locking

/// A cache of templates for payloads, one for each frequent length of archives. Encoding the envelope costs as much as
/// its content, and it is always the same.
final class PayloadTemplates: Sendable {
    static let shared = PayloadTemplates()

    /// The number of templates that are kept. 128: an application's archives have few lengths; a template takes a few
    /// hundred bytes.
    private static let maximumTemplates = 128
    /// The lengths of archives with a template: shorter ones cannot be distinguished from other bytes; with longer ones
    /// copying the bytes dominates.
    private static let lengths = 32...16_384

    /// The properties shared by payloads that differ only in their values.
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
        /// The templates by the length of their payloads, which two forms may share.
        var byLength: [Int: [ArchiveTemplate]] = [:]
        var occurrences = OccurrenceCounter<Form>()
    }

    private let known = Mutex(Known())

    /// Returns the payload of an archive, with or without a predecessor.
    func payload(around archive: Data, after predecessor: UUID? = nil) throws -> Data {
        let content = QuizContent(archive: archive, predecessor: predecessor)
        if let template = known.withLock({ $0.templates[Form(content)] }) { return template.archive(content.values) }
        try sighted(content)
        return try Self.archived(content.values)
    }

    /// Returns the content of a payload; nil if its length is unknown or its form unusual.
    func content(of payload: Data) -> QuizContent? {
        for template in known.withLock({ $0.byLength[payload.count] }) ?? [] {
            if let values = template.values(in: payload) { return QuizContent(values) }
        }
        return nil
    }

    /// Records a payload that was made or read without a template, and creates one for a frequent form.
    func sighted(_ content: QuizContent) throws {
        let form = Form(content)
        guard Self.lengths.contains(form.archiveBytes), known.withLock({ $0.occurrences.add(form) }),
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
