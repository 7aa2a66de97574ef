import Files
import Foundation
import KeyedArchive
import RecordStorage

/// The archives of acknowledgements under one class name: an application's peers may know them by a name of their own.
package final class AcknowledgementForm: Sendable {
    /// The form of applications without a name of their own.
    package static let standard = AcknowledgementForm(RecordAcknowledgement.archiveName)

    private let className: String
    /// Templates for the positive verdicts, which are nearly all. They only save time.
    private let templates: [RecordVerdict: ArchiveTemplate]

    /// - Parameter className: The name of the class in archives.
    package init(_ className: String) {
        self.className = className
        let lengths = [MemoryLayout<uuid_t>.size, ContentDigest.bytes]
        var templates: [RecordVerdict: ArchiveTemplate] = [:]
        for verdict in [RecordVerdict.stored, .repeated] {
            templates[verdict] = try? ArchiveTemplate(lengths: lengths) { values in
                try Self.archivedData(
                    of: RecordAcknowledgement(UUID(bytes: values[0]), verdict, digest: values[1]), as: className)
            }
        }
        self.templates = templates
    }

    /// Returns the keyed archive of an acknowledgement.
    func archivedData(of acknowledgement: RecordAcknowledgement) throws -> Data {
        guard acknowledgement.message == nil, let identifier = acknowledgement.identifier,
            let digest = acknowledgement.digest, digest.count == ContentDigest.bytes,
            let template = templates[acknowledgement.verdict]
        else { return try Self.archivedData(of: acknowledgement, as: className) }
        return template.archive([identifier.data, digest])
    }

    /// Returns the acknowledgement in an archive with this class name or the standard one; nil if it contains none.
    /// Rethrows the unarchiver's error.
    package func read(_ archive: Data) throws -> RecordAcknowledgement? {
        for (verdict, template) in templates {
            guard let values = template.values(in: archive) else { continue }
            return RecordAcknowledgement(UUID(bytes: values[0]), verdict, digest: values[1])
        }
        return try KeyedUnarchiver.unarchivedObject(
            ofClass: RecordAcknowledgement.self, named: className, from: archive)
    }

    private static func archivedData(of acknowledgement: RecordAcknowledgement, as className: String) throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: acknowledgement, named: className)
    }
}
