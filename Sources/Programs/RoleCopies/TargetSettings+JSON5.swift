package import Foundation

extension TargetSettings {
    /// Reads the content of the settings' file.
    package init(json5 data: Data) throws(SettingsError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(TargetSettings.self, from: data)
        } catch {
            throw SettingsError(
                description: "these are no settings of copies: \(Self.explanation(of: error)); they are JSON5 such as "
                    + "{ role: \"phone\", leaveOut: [\"Views\"], leaveOutImporting: [\"SwiftUI\"] }, with role phone or watch"
            )
        }
    }

    private static func explanation(of error: any Error) -> String {
        func path(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
        switch error {
        case DecodingError.keyNotFound(let key, _): return "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return "\(path(context.codingPath)) has the wrong type"
        case DecodingError.dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "the file is not JSON5" : "\(path(context.codingPath)) has an unknown value"
        default: return "\(error)"
        }
    }
}
