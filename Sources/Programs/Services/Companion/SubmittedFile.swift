import Configuration
import ControlSocket
import Foundation
import RecordSync

/// The file that a request submits together with a payload.
struct SubmittedFile: Sendable {
    private let description: PayloadFile
    private let content: Data

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - value: Its absolute path.
    ///   - payloads: The number of payloads in the request.
    init(_ value: JSONValue, payloads: Int, of kind: RecordKind) throws(ControlError) {
        guard let path = value.string, path.hasPrefix("/") else {
            throw ControlError(ControlError.invalidParams, "“file” must be an absolute path")
        }
        guard payloads == 1 else {
            throw ControlError(
                ControlError.invalidParams,
                "a file belongs to one \(kind.name), and the request has \(payloads); submit each with its own file")
        }
        let url = URL(filePath: path)
        do {
            content = try PayloadFile.content(of: url)
        } catch {
            let reason = (error as? PayloadError).map(kind.text) ?? error.localizedDescription
            throw ControlError(ControlError.invalidParams, "cannot send \(path): \(reason)")
        }
        description = PayloadFile(name: url.lastPathComponent, content: content)
    }

    /// The content, by its SHA-256.
    var contents: [Data: Data] { [description.digest: content] }

    /// Returns a payload with the file.
    func attached(to payload: any RecordPayload) throws(PayloadError) -> any RecordPayload {
        try payload.attaching(description)
    }
}
