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
        let name: String?

        init(_ content: PayloadContent) {
            archiveBytes = content.archive.count
            namesPredecessor = content.predecessor != nil
            name = content.name
        }
    }

    private struct Known: Sendable {
        var templates: [Form: ArchiveTemplate] = [:]
        /// The templates by the length of their payloads, which two forms may share.
        var byLength: [Int: [(template: ArchiveTemplate, name: String?)]] = [:]
        var occurrences = OccurrenceCounter<Form>()
    }

    private let known = Mutex(Known())

    /// Returns the payload of an archive, with or without a predecessor and a name.
    func payload(around archive: Data, after predecessor: UUID? = nil, name: String? = nil) throws -> Data {
        let content = PayloadContent(archive: archive, predecessor: predecessor, name: name)
        if let template = known.withLock({ $0.templates[Form(content)] }) { return template.archive(content.values) }
        try sighted(content)
        return try Self.archived(content.values, name)
    }

    /// Returns the content of a payload; nil if its length is unknown or its form unusual.
    func content(of payload: Data) -> PayloadContent? {
        for known in known.withLock({ $0.byLength[payload.count] }) ?? [] {
            if let values = known.template.values(in: payload) { return PayloadContent(values, name: known.name) }
        }
        return nil
    }

    /// Records a payload that was made or read without a template, and creates one for a frequent form.
    func sighted(_ content: PayloadContent) throws {
        let form = Form(content)
        guard Self.lengths.contains(form.archiveBytes), known.withLock({ $0.occurrences.add(form) }),
            let template = try ArchiveTemplate(
                lengths: content.values.map(\.count), archive: { try Self.archived($0, content.name) })
        else { return }
        known.withLock { known in
            if known.templates.count >= Self.maximumTemplates { known = Known() }
            guard known.templates.updateValue(template, forKey: form) == nil else { return }
            known.byLength[template.archiveBytes, default: []].append((template, content.name))
        }
    }

    private static func archived(_ values: [Data], _ name: String?) throws -> Data {
        var payload: [String: Any] = Dictionary(zip([Payload.dataKey, Payload.predecessorKey], values)) { first, _ in
            first
        }
        payload[Payload.nameKey] = name
        return try KeyedArchiver.archivedData(withRootObject: payload, requiringSecureCoding: true)
    }
}
