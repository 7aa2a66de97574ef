import Configuration
import Foundation
import ServiceRuntime

/// The files of records.
extension RecordAdministration {
    /// Writes a record's file to a path.
    func writeFile() throws {
        guard case .object(var params) = try key() else { return }
        let path = URL(filePath: invocation.words[2]).standardizedFileURL.path(percentEncoded: false)
        params["path"] = .string(path)
        let result = try call("file", .object(params))
        try answer(
            result,
            "\(path): \(result["bytes"]?.integer ?? 0) bytes, SHA-256 \(result["sha256"]?.string ?? "unknown")")
    }

    /// Returns the parameter with the directory of “--files”; nothing without that option.
    ///
    /// - Parameter isMade: True to make the directory if it is missing.
    func filesDirectory(isMade: Bool) throws(CommandError) -> [String: JSONValue] {
        guard let name = invocation.options[CommandOptions.files.name] else { return [:] }
        let url = URL(filePath: name).standardizedFileURL
        if isMade {
            do {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            } catch {
                throw CommandError("--files \(name) cannot be made: \(error.localizedDescription)")
            }
        }
        return ["files": .string(url.path(percentEncoded: false))]
    }
}
