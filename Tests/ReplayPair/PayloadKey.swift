import Foundation

/// A key of the document within an envelope, and what a build does to it.
struct PayloadKey {
    enum Deed: String {
        case rename = "payload-rename"
        case add = "payload-add"
        case toText = "payload-text"
    }

    let deed: Deed
    let key: String

    /// Returns the document that this build sends.
    func applied(to payload: Data) throws -> Data {
        var content = try JSONSerialization.jsonObject(with: payload) as? [String: Any] ?? [:]
        switch deed {
        case .rename: content[key + "New"] = content.removeValue(forKey: key)
        case .add: content[key] = [1, 2]
        case .toText: content[key] = "\(content[key] ?? "")"
        }
        return try JSONSerialization.data(withJSONObject: content)
    }
}
