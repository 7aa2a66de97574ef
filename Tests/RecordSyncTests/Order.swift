import Foundation
import KeyedArchive
import RecordSync

/// A payload that adopts `NSSecureCoding`, with the least that one needs. Its name begins with a vowel.
final class Order: NSObject, NSSecureCoding, ArchiveNaming, RecordPayload {
    static let name = "order"
    static let archiveName = "Order"
    static let supportsSecureCoding = true

    let identifier: UUID
    let text: String

    init(_ identifier: UUID = UUID(), text: String = "a pear") {
        (self.identifier, self.text) = (identifier, text)
        super.init()
    }

    func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: "identifier")
        coder.encode(text, forKey: "text")
    }

    init?(coder: NSCoder) {
        guard let identifier = coder.decodeUUID(forKey: "identifier"), let text = coder.decodeString(forKey: "text")
        else { return nil }
        (self.identifier, self.text) = (identifier, text)
        super.init()
    }

    func document() throws -> Data { try JSONEncoder().encode([identifier.uuidString: text]) }

    static func decoded(fromDocument document: Data) throws -> Order {
        let fields = try JSONDecoder().decode([String: String].self, from: document)
        guard let (key, text) = fields.first, let identifier = UUID(uuidString: key) else {
            throw PayloadError.invalid(field: "identifier", reason: "is missing")
        }
        return Order(identifier, text: text)
    }
}
