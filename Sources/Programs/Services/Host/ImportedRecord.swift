import Foundation
import RecordSync

/// An exported record while it is decoded in one pass. What is wrong is reported in the order in which people repair it:
/// the device, the time, then the document.
struct ImportedRecord: DecodableWithConfiguration {
    /// The payload's type, and the keys that are no part of its documents.
    struct Form {
        let type: any DirectDocument.Type
        let others: Set<String>
    }

    let device: String?
    let receivedAt: String?
    let payload: Result<any RecordPayload, any Error>

    init(device: String?, receivedAt: String?, payload: Result<any RecordPayload, any Error>) {
        (self.device, self.receivedAt, self.payload) = (device, receivedAt, payload)
    }

    init(from decoder: any Decoder, configuration form: Form) throws {
        let fields = try decoder.container(keyedBy: DocumentKey.self)
        // A value of another type is as good as none.
        device = try? fields.decode(String.self, forKey: DocumentKey("device"))
        receivedAt = try? fields.decode(String.self, forKey: DocumentKey("receivedAt"))
        payload = Result { try form.type.decoded(from: fields, beside: form.others) }
    }
}
