import Configuration
import Foundation
import RecordSync

/// An exported record that was read, but is not checked. What is wrong is reported in the order in which people repair
/// it: the device, the time, then the document.
struct ImportedRecord {
    let device: String?
    let receivedAt: String?
    let payload: Result<any RecordPayload, any Error>

    init(device: String?, receivedAt: String?, payload: Result<any RecordPayload, any Error>) {
        (self.device, self.receivedAt, self.payload) = (device, receivedAt, payload)
    }

    /// Reads a record as an export writes it; nil for any other text.
    ///
    /// - Parameter others: The keys that are no part of the payload's document.
    init?(plain row: Data, of type: any DirectDocument.Type, beside others: Set<String>) {
        var (device, receivedAt): (String?, String?)
        let payload = PlainJSONReader.read(row) { reader in
            type.read(from: &reader) { key, reader in
                switch key {
                case "device" where device == nil:
                    device = reader.string()
                    return device != nil
                case "receivedAt" where receivedAt == nil:
                    receivedAt = reader.string()
                    return receivedAt != nil
                default: return others.contains(key) && reader.skipScalar()
                }
            } as (any RecordPayload)?
        }
        guard let payload else { return nil }
        self.init(device: device, receivedAt: receivedAt, payload: .success(payload))
    }
}
